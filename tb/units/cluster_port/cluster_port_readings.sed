# merge: without it the table's entries are not answered either.
s/.reply_valid = in->reply_valid,/.reply_valid = in->reply_valid \&\& in->merge,/
# merge: without it a write closes its line's entry all the same.
s/.request_alone = in->request_alone || !in->merge,/.request_alone = in->request_alone || (!in->merge \&\& !in->request_write),/
# merge: without it the cache is not looked up.
s/.lookup_valid = in->request_valid && !in->request_alone && in->keep,/.lookup_valid = in->request_valid \&\& !in->request_alone \&\& in->keep \&\& in->merge,/
# merge: it is not looked at.
s/in->request_alone || !in->merge,/in->request_alone,/
# keep: without it a write takes its line away all the same.
s/!in->request_alone && in->keep,/!in->request_alone \&\& (in->keep || in->request_write),/
# keep: without it lines are found, but no more are kept.
s/!in->request_alone && in->keep,/!in->request_alone,/
# keep: without it lines are kept, but not found.
s/table.reply_shared && in->keep;/table.reply_shared;/
# keep: without it the cache is not flushed.
s/        .flush = in->flush,\r*$/        .flush = in->flush \&\& in->keep,/
# fifo: it is not looked at.
s/.fifo = in->fifo,/.fifo = false,/
# fifo: it is the other way round.
s/.fifo = in->fifo,/.fifo = !in->fifo,/
# fifo: it counts in cycles with an insert only.
s/        to_cache.insert_valid = true;/        to_cache.insert_valid = true;\n        to_cache.fifo = false;/
# flush: it reaches the cache only.
s/        .reply_tracked = in->reply_tracked,/        .reply_tracked = in->reply_tracked,\n        .flush = false,\n    };\n    (void)(const struct icc_in){/
# flush: a line that comes in its cycle is not kept.
s/table.reply_shared && in->keep;/table.reply_shared \&\& in->keep \&\& !in->flush;/
# flush: with it the request of its cycle does not hit.
s/!in->request_alone && in->keep,/!in->request_alone \&\& in->keep \&\& !in->flush,/
# alone: it passes by the table, but not by the cache.
s/in->request_valid && !in->request_alone && in->keep,/in->request_valid \&\& in->keep,/
# alone: it passes by the cache, but not by the table.
s/.request_alone = in->request_alone || !in->merge,/.request_alone = !in->merge,/
# alone: a write of another space takes its line away.
s/!in->request_alone && in->keep,/(!in->request_alone || in->request_write) \&\& in->keep,/
# A hit joins the line's entry as well.
s/.request_hit = cache.lookup_hit,/.request_hit = false,/
# A write acts on the cache only when the network takes it.
s/.lookup_write = in->request_write,/.lookup_write = in->request_write \&\& in->request_ready,/
# A request that merges is sent, too.
s/in->request_valid && !cache.lookup_hit && !table.request_merge && in->request_ready;/in->request_valid \&\& !cache.lookup_hit \&\& in->request_ready;/
# A request that hits or merges is taken only when the network is ready.
s/.request_taken = cache.lookup_hit || table.request_merge || sends,/.request_taken = in->request_ready \&\& (cache.lookup_hit || table.request_merge || sends),/
