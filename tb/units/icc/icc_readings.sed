# Only an open entry is found, so a closed line takes a second entry.
s/unit->mem.line\[entry\] != line || unit->q.list\[entry\] == 0u/unit->mem.line[entry] != line || unit->q.list[entry] == 0u || bits_has(unit->q.closed, entry)/
# Every reply searches the table, as by the paper's text.
s/if (!in->reply_tracked || entry == unit->config.n_entry)/if (entry == unit->config.n_entry)/
# A read joins a closed entry too.
s/if (!bits_has(unit->q.closed, entry)) {/if (true) {/
# A read that joins waits for the network.
s/if (!bits_has(unit->q.closed, entry)) {/if (!bits_has(unit->q.closed, entry) \&\& in->request_ready) {/
# An entry is taken while the network is not ready.
s/if (free < n && in->request_ready)/if (free < n)/
# A write closes only when the network takes it.
s/if (in->request_write) {/if (in->request_write \&\& !in->request_ready) {\n        return;\n    }\n    if (in->request_write) {/
# The reply comes before the request of its cycle: it goes to the old list.
s/out->reply_sms.word\[0\] = next->q.list\[entry\];/out->reply_sms.word[0] = unit->q.list[entry];/
# A write in the cycle of the reply comes too late to keep the line from being kept.
s/> 1u && !bits_has(next->q.closed, entry)/> 1u \&\& !bits_has(unit->q.closed, entry)/
# The line of a closed entry is kept all the same.
s/ && !bits_has(next->q.closed, entry)//
# A line that came for one SM is kept.
s/bits_count(out->reply_sms, unit->config.n_sm) > 1u/bits_count(out->reply_sms, unit->config.n_sm) > 0u/
# A write of another space closes too.
s/if (!in->request_valid || in->request_alone || in->request_hit) {/if (!in->request_valid || (in->request_alone \&\& !in->request_write) || in->request_hit) {/
# A read that hit in the cache joins as well.
s/ || in->request_hit) {/) {/
# An SM that there is not joins, with no bit in the list.
s/if (in->request_sm >= unit->config.n_sm) {/if (in->request_sm > unit->config.n_sm) {/
# The write of an SM that there is not closes nothing.
s/if (in->request_write) {/if (in->request_write \&\& in->request_sm >= unit->config.n_sm) {\n        return;\n    }\n    if (in->request_write) {/
# A reply frees the entry, but it stays closed.
s/    bits_remove(&next->q.closed, entry);//
# A flush closes the entries that were in use before the cycle.
s/if (next->q.list\[entry\] != 0u) {/if (unit->q.list[entry] != 0u) {/
# A flush frees the entries, and what is waited for is lost.
s/            bits_add(&next->q.closed, entry);\r*$/            next->q.list[entry] = 0u;/
# A flush keeps the answer of its own cycle from being kept.
s/> 1u && !bits_has(next->q.closed, entry)/> 1u \&\& !in->flush \&\& !bits_has(next->q.closed, entry)/
# The free entry with the highest number is taken.
s/while (entry < n && unit->q.list\[entry\] != 0u) {/for (uint32_t k = 0u; k < n; k++) {\n        entry = unit->q.list[k] == 0u ? k : entry;\n    }\n    while (entry < n \&\& unit->q.list[entry] != 0u) {/
# Entries from 32 on are never found.
s/const uint32_t n = unit->config.n_entry;/const uint32_t n = unit->config.n_entry < 32u ? unit->config.n_entry : 32u;/
# Closing reaches entries below 64 only.
s/            bits_add(&next->q.closed, entry);/            if (entry < 64u) {\n                bits_add(\&next->q.closed, entry);\n            }/
# An untracked reply to an SM that there is not goes to the last one.
s/        if (in->reply_sm < unit->config.n_sm) {/        if (in->reply_sm >= unit->config.n_sm) {\n            bits_add(\&out->reply_sms, unit->config.n_sm - 1u);\n        } else {/
