# A write that waits for the network does not make its line invalid in the cache.
# at: N_LINE > 1 && N_ENTRY <= 48
s/&& !request_alone_i && keep_i)/\&\& !request_alone_i \&\& keep_i \&\& !(request_write_i \&\& !request_ready_i))/
