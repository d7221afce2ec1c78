# merge: without it the table's entries are not answered either.
s/\.reply_valid_i   (reply_valid_i)/.reply_valid_i   (reply_valid_i \&\& merge_i)/
# merge: without it a write closes its line's entry all the same.
s/(request_alone_i || !merge_i)/(request_alone_i || (!merge_i \&\& !request_write_i))/
# merge: without it the cache is not looked up.
s/(request_valid_i && !request_alone_i && keep_i)/(request_valid_i \&\& !request_alone_i \&\& keep_i \&\& merge_i)/
# keep: without it a write takes its line away all the same.
s/!request_alone_i && keep_i)/!request_alone_i \&\& (keep_i || request_write_i))/
# keep: without it lines are kept, but not found.
s/insert = shared && keep_i;/insert = shared;/
# fifo: it is not looked at.
s/\.fifo_i         (fifo_i)/.fifo_i         (1'b0)/
# fifo: it is the other way round.
s/\.fifo_i         (fifo_i)/.fifo_i         (!fifo_i)/
# flush: without keep the cache is not flushed.
s/\.flush_i        (flush_i)/.flush_i        (flush_i \&\& keep_i)/
# flush: without merge the table is not flushed.
s/\.flush_i         (flush_i)/.flush_i         (flush_i \&\& merge_i)/
# flush: a line that comes in its cycle is not kept.
s/insert = shared && keep_i;/insert = shared \&\& keep_i \&\& !flush_i;/
# alone: it passes by the table, but not by the cache.
s/(request_valid_i && !request_alone_i && keep_i)/(request_valid_i \&\& keep_i)/
# alone: it passes by the cache, but not by the table.
s/(request_alone_i || !merge_i)/(!merge_i)/
# alone: a write of another space takes its line away.
s/(request_valid_i && !request_alone_i && keep_i)/(request_valid_i \&\& (!request_alone_i || request_write_i) \&\& keep_i)/
# A hit joins the line's entry as well.
s/\.request_hit_i   (hit)/.request_hit_i   (1'b0)/
# A request that hits or merges is taken only when the network is ready.
s/request_taken_o = answered || send;/request_taken_o = (answered \&\& request_ready_i) || send;/
