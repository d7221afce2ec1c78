# With FIFO, a read in the cycle of an insert moves its way to the front all the same.
s/wire used = hit && !fifo_i;/wire used = hit \&\& !(fifo_i \&\& !insert_valid_i);/
