# With FIFO, a read in the cycle of an insert moves its way to the front all the same.
# at: N_LINE > 1
s/wire used = hit && !fifo_i;/wire used = hit \&\& !(fifo_i \&\& !insert_valid_i);/
