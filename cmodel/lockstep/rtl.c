/* rtl - loads a Verilated unit, and compares its nets with the model's values. */

#include "lockstep/rtl_parts.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Nets ---------------------------------------------------------------------------- */

/* Bytes in which Verilator keeps a vector of n bits. */
static size_t net_bytes(uint32_t n)
{
    return n <= 8u ? 1u : n <= 16u ? 2u : 4u * unit_words(n);
}

/* Into a net of at most 64 bits, each size without a call. */
static void store(const struct rtl_net *net, uint64_t value)
{
    switch (net->bytes) {
    case 1u:
        *(uint8_t *)net->at = (uint8_t)value;
        return;
    case 2u:
        *(uint16_t *)net->at = (uint16_t)value;
        return;
    case 4u:
        *(uint32_t *)net->at = (uint32_t)value;
        return;
    default:
        memcpy(net->at, &value, sizeof value);
    }
}

/* ---- One cycle ----------------------------------------------------------------------- */

/* Elements of an array that are others than those of the last cycle, from k up to end. */
static void write_elements(const struct row *row, const uint32_t *field, uint32_t k,
                           uint32_t end)
{
    const uint32_t width = row->port->width;

    for (; k < end; k++) {
        if (row->image[k] != field[k]) {
            row->image[k] = field[k];
            unit_set_bits(row->net.at, k * width, width, field[k]);
        }
    }
}

/* From one cycle to the next few elements change. */
static void write_array(struct rtl *rtl, const struct row *row, const uint32_t *field)
{
    enum { AT_ONCE = 4 };
    const uint32_t n = row->port->count;
    uint32_t k = 0u;

    if (memcmp(row->image, field, n * sizeof *field) == 0) {
        return;
    }
    if (row->net.bytes < sizeof *rtl->words) { /* it has no whole word */
        memcpy(row->image, field, n * sizeof *field);
        unit_pack(row->port, rtl->unit->in, rtl->words);
        memcpy(row->net.at, rtl->words, row->net.bytes);
        return;
    }
    for (; k + AT_ONCE <= n; k += AT_ONCE) {
        if (memcmp(&row->image[k], &field[k], AT_ONCE * sizeof *field) != 0) {
            write_elements(row, field, k, k + AT_ONCE);
        }
    }
    write_elements(row, field, k, n);
}

static void write_input(struct rtl *rtl, const struct row *row)
{
    const void *const field = (const char *)rtl->unit->in + row->port->offset;

    switch (row->port->shape) {
    case UNIT_FLAG:
        store(&row->net, *(const bool *)field);
        return;
    case UNIT_NUM:
        store(&row->net, *(const uint32_t *)field);
        return;
    case UNIT_LONG:
        store(&row->net, *(const uint64_t *)field);
        return;
    case UNIT_SET:
        memcpy(row->net.at, field, row->net.bytes);
        return;
    default:
        write_array(rtl, row, field);
    }
}

void rtl_eval(struct rtl *rtl, bool reset)
{
    for (uint32_t i = 0u; i < rtl->n_input; i++) {
        write_input(rtl, rtl->inputs[i]);
    }
    rtl->ops->eval(rtl->instance, reset);
}

void rtl_eval_again(struct rtl *rtl)
{
    rtl->ops->eval(rtl->instance, false);
}

static void note_writes(const struct rtl *rtl, const struct row *row)
{
    const struct unit_port *const port = row->port;
    const struct unit_write_list writes = unit_writes(port, rtl->unit->next);
    const uint32_t stride = unit_words(unit_port_bits(port));

    for (uint32_t i = 0u; i < writes.n; i++) {
        const uint32_t word = writes.write[i].element / port->count;
        const uint32_t element = writes.write[i].element % port->count;
        unit_set_bits(row->image + (size_t)word * stride, element * port->width, port->width,
                      writes.write[i].value);
    }
}

void rtl_tick(struct rtl *rtl, bool reset)
{
    for (uint32_t i = 0u; !reset && i < rtl->n_memory; i++) {
        note_writes(rtl, rtl->memories[i]);
    }
    rtl->ops->tick(rtl->instance);
}

bool rtl_says(const struct rtl *rtl)
{
    return !rtl->theirs && rtl->ops->held != NULL;
}

bool rtl_held(const struct rtl *rtl)
{
    return rtl->ops->held(rtl->instance);
}

bool rtl_settled(struct rtl *rtl)
{
    size_t bytes;
    const void *const holds = rtl->ops->state(rtl->instance, &bytes);

    if (rtl->held != NULL && memcmp(rtl->held, holds, bytes) == 0) {
        return true;
    }
    if (rtl->held == NULL) {
        rtl->held = malloc(bytes);
    }
    if (rtl->held != NULL) {
        memcpy(rtl->held, holds, bytes);
    }
    return false;
}

/* ---- Opening ------------------------------------------------------------------------- */

/* Another's RTL may have other registers: those that do not match are left without pieces. */
static bool check_row(struct row *row, bool theirs, const char *file)
{
    const struct unit_port *const port = row->port;

    if (row->net.pieces == pieces(port) && row->net.bytes == net_bytes(piece_bits(port))
        && (row->net.bits == 0u || row->net.bits == piece_bits(port))) {
        return true;
    }
    if (theirs && (port->group == UNIT_REG || port->group == UNIT_MEM)) {
        row->net.pieces = 0u;
        return true;
    }
    char name[UNIT_PORT_NAME];
    fprintf(stderr, "%s: %s is not there, or not as wide and long as in the port table\n", file,
            unit_port_name(port, name));
    return false;
}

/* Of memories, and of arrays of inputs, which all begin as 0. */
static uint32_t image_words(const struct unit_port *port)
{
    if (port->group == UNIT_MEM) {
        return port->words * unit_words(piece_bits(port));
    }
    return port->group == UNIT_IN && port->shape == UNIT_ARRAY ? port->count : 0u;
}

static void add_part(struct rtl *rtl, const struct rtl_part *part)
{
    for (uint32_t i = 0u; i < part->unit->n_port; i++) {
        const struct unit_port *const port = &part->unit->ports[i];
        if (port->group != UNIT_IN && port->group != UNIT_OUT) {
            continue; /* one of the unit's rows */
        }
        struct unit_port *const named = &rtl->part_ports[rtl->n_row - rtl->unit->n_port];
        *named = *port;
        named->part = part->name;
        rtl->rows[rtl->n_row++] = (struct row){
            .port = named,
            .group = port->group == UNIT_IN ? part->unit->in : part->unit->out,
        };
    }
}

/* The rows of the unit's ports, and of its parts' inputs and outputs, without nets. False if
 * there is no memory. */
static bool make_rows(struct rtl *rtl, const struct rtl_part *parts, uint32_t n)
{
    const struct unit *const unit = rtl->unit;
    const void *const group[UNIT_GROUPS] = { NULL, unit->out, unit_state(unit),
                                             unit_memory(unit) };
    uint32_t most = unit->n_port;

    for (uint32_t k = 0u; k < n; k++) {
        most += parts[k].unit->n_port;
    }
    rtl->parts = parts;
    rtl->n_part = n;
    rtl->rows = calloc(most, sizeof *rtl->rows);
    rtl->part_ports = calloc(most, sizeof *rtl->part_ports);
    if (rtl->rows == NULL || rtl->part_ports == NULL) {
        return false;
    }
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        rtl->rows[i].port = &unit->ports[i];
        rtl->rows[i].group = group[unit->ports[i].group];
    }
    rtl->n_row = unit->n_port;
    for (uint32_t k = 0u; k < n; k++) {
        add_part(rtl, &parts[k]);
    }
    return true;
}

/* Takes over the nets, and makes the images. */
static bool fill_rows(struct rtl *rtl, const struct rtl_net *nets, const char *file)
{
    for (uint32_t i = 0u; i < rtl->n_row; i++) {
        struct row *const row = &rtl->rows[i];
        row->net = nets[i];
        if (!check_row(row, rtl->theirs, file)) {
            return false;
        }
        const uint32_t words = i < rtl->unit->n_port ? image_words(row->port) : 0u;
        row->image = words == 0u ? NULL : calloc(words, sizeof *row->image);
        if (words != 0u && row->image == NULL) {
            return false;
        }
        if (row->group == NULL) {
            memset(row->net.at, 0, row->net.bytes);
        }
    }
    return rtl_sort_rows(rtl);
}

static uint32_t widest_piece(const struct rtl *rtl)
{
    uint32_t widest = 64u;
    for (uint32_t i = 0u; i < rtl->n_row; i++) {
        const uint32_t bits = unit_port_bits(rtl->rows[i].port);
        widest = bits > widest ? bits : widest;
    }
    return widest;
}

/* Of another's RTL, behind its source: what is compared. */
static bool name_source(struct rtl *rtl)
{
    uint32_t have[UNIT_GROUPS] = { 0u };
    uint32_t all[UNIT_GROUPS] = { 0u };
    char text[128];

    if (!rtl->theirs) {
        return true;
    }
    for (uint32_t i = 0u; i < rtl->unit->n_port; i++) {
        const struct row *const row = &rtl->rows[i];
        all[row->port->group]++;
        have[row->port->group] += row->net.pieces != 0u;
    }
    const int n =
        snprintf(text, sizeof text,
                 " (outputs %u of %u, registers %u of %u, memories %u of %u)", have[UNIT_OUT],
                 all[UNIT_OUT], have[UNIT_REG], all[UNIT_REG], have[UNIT_MEM], all[UNIT_MEM]);
    const size_t size = strlen(rtl->source) + (size_t)n + 1u;
    rtl->named = malloc(size);
    if (rtl->named != NULL) {
        snprintf(rtl->named, size, "%s%s", rtl->source, text);
    }
    return rtl->named != NULL;
}

/* An instance, with the nets of all rows; NULL if there is no memory. */
static void *open_instance(const struct rtl *rtl, struct rtl_net *nets)
{
    const uint32_t n = rtl->n_row;
    char(*const text)[UNIT_PORT_NAME] = calloc(n, sizeof *text);
    const char **const names = calloc(n, sizeof *names);
    void *instance = NULL;

    if (text != NULL && names != NULL) {
        for (uint32_t i = 0u; i < n; i++) {
            names[i] = unit_port_name(rtl->rows[i].port, text[i]);
        }
        instance = rtl->ops->open(names, nets, n);
    }
    free(names);
    free(text);
    return instance;
}

/* Takes what the library exports. False, with the reason on stderr, if it lacks something. */
static bool open_library(struct rtl *rtl, const char *file)
{
    /* What is loaded already need not be tried in another process. */
    rtl->library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (rtl->library == NULL && rtl_loads(file, false)) {
        rtl->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    } else if (rtl->library == NULL) {
        return false;
    }
    rtl->ops = rtl->library == NULL ? NULL : dlsym(rtl->library, "rtl_ops");
    rtl->source = rtl->ops == NULL ? NULL : dlsym(rtl->library, "rtl_source");
    if (rtl->source == NULL) {
        fprintf(stderr, "%s\n", dlerror());
    } else {
        rtl->theirs = dlsym(rtl->library, "rtl_theirs") != NULL;
    }
    return rtl->source != NULL;
}

struct rtl *rtl_open(const struct unit *unit, const char *file)
{
    return rtl_open_parts(unit, file, NULL, 0u);
}

struct rtl *rtl_open_parts(const struct unit *unit, const char *file,
                           const struct rtl_part *parts, uint32_t n)
{
    struct rtl *const rtl = calloc(1u, sizeof *rtl);
    struct rtl_net *nets = NULL;
    bool ok = rtl != NULL;

    if (ok) {
        rtl->unit = unit;
        ok = make_rows(rtl, parts, n);
    }
    if (ok) {
        nets = calloc(rtl->n_row, sizeof *nets);
        rtl->words = calloc(unit_words(widest_piece(rtl)), sizeof *rtl->words);
        ok = nets != NULL && rtl->words != NULL && open_library(rtl, file);
    }
    if (ok) {
        rtl->instance = open_instance(rtl, nets);
        ok = rtl->instance != NULL && fill_rows(rtl, nets, file) && name_source(rtl);
    }
    free(nets);
    if (!ok) {
        rtl_close(rtl);
        return NULL;
    }
    return rtl;
}

const char *rtl_source(const struct rtl *rtl)
{
    return rtl->named != NULL ? rtl->named : rtl->source;
}

void rtl_close(struct rtl *rtl)
{
    if (rtl == NULL) {
        return;
    }
    if (rtl->instance != NULL) {
        rtl->ops->close(rtl->instance);
    }
    if (rtl->library != NULL) {
        dlclose(rtl->library);
    }
    rtl_free_signals(rtl);
    for (uint32_t i = 0u; i < rtl->n_row; i++) {
        free(rtl->rows[i].image);
    }
    free(rtl->rows);
    free(rtl->part_ports);
    free(rtl->sorted);
    for (uint32_t i = 0u; i < RTL_PIECE_LISTS; i++) {
        free(rtl->pieces[i].piece);
    }
    free(rtl->alike);
    free(rtl->words);
    free(rtl->held);
    free(rtl->named);
    free(rtl);
}
