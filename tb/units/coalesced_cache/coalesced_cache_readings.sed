# The insert comes before the lookup of its cycle, so the same line hits.
s/    if (!in->lookup_valid || way == n) {/    if (in->lookup_valid \&\& !in->lookup_write \&\& in->insert_valid \&\& in->insert_line == in->lookup_line) {\n        out->lookup_hit = true;\n    }\n    if (!in->lookup_valid || way == n) {/
# The way to go is that of the order before the lookup.
s/const uint32_t way = here < n ? here : next->q.order\[n - 1u\];/const uint32_t way = here < n ? here : unit->q.order[n - 1u];/
# A written way keeps its place in the order.
s/        move_to_end(next->q.order, way, n);//
# A written line stays.
s/        bits_remove(&next->q.valid, way);//
# A write hits, as a read does.
s/    if (in->lookup_write) {/    out->lookup_hit = true;\n    if (in->lookup_write) {/
# FIFO moves what is read too.
s/    if (!in->fifo) {/    if (true) {/
# LRU does not move what is read.
s/    if (!in->fifo) {/    if (false) {/
# A read moves its way one place forward only.
s/        move_to_front(next->q.order, way);/        for (uint32_t place = place_of(next->q.order, way); place > 0u; place = 0u) {\n            next->q.order[place] = next->q.order[place - 1u];\n            next->q.order[place - 1u] = way;\n        }/
# A line that is inserted goes to the end of the order.
s/    bits_add(&next->q.valid, way);/    bits_add(\&next->q.valid, way);\n    move_to_end(next->q.order, way, n);\n    UNIT_WRITE(\&next->tag, way, in->insert_line);\n    return;/
# A line that is here already is put into a second way.
s/const uint32_t way = here < n ? here : /const uint32_t way = here > n ? here : /
# A flush spares the line that comes in its cycle.
s/        next->q.valid = (struct bits){ { 0u } };/        next->q.valid = (struct bits){ { 0u } };\n        if (in->insert_valid) {\n            bits_add(\&next->q.valid, out->insert_way);\n        }/
# A flush does nothing.
s/    if (in->flush) {/    if (false) {/
# A flush puts the order back to that of a reset.
s/    if (in->flush) {/    for (uint32_t w = 0u; in->flush \&\& w < unit->config.n_line; w++) {\n        next->q.order[w] = w;\n    }\n    if (in->flush) {/
# Ways from 8 on are never found.
s/    const uint32_t n = unit->config.n_line;\r*$/    const uint32_t n = unit->config.n_line < 8u ? unit->config.n_line : 8u;/
# The way of a hit is told in 5 bits.
s/out->lookup_way = way;/out->lookup_way = way % 32u;/
# After a reset way 0 goes first.
s/unit->q.order\[place\] = place;/unit->q.order[place] = unit->config.n_line - 1u - place;/
