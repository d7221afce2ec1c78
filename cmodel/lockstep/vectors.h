/*
 * vectors - what goes into a unit and what must come out, as text, for any
 * simulator. docs/conformance.md describes the format for third parties.
 *
 *   gpusched-vectors 1                   format
 *   unit claso
 *   param N_CORE 15                      one line each
 *   in launch_valid_i 1 1 0              name, element bits, elements, lowest bit
 *   ...                                  all ports, then registers (reg), in order
 *   cycles
 *   1 0000000 0000 000000                one line a cycle: rst_i, then the inputs,
 *                                        outputs and registers as hexadecimal
 *                                        numbers, with each port at its bit
 *   total 1 8f3b0d21                     cycles, and the CRC-32 of all bytes above
 *
 * The registers are those during the cycle, before its clock edge; memories are left
 * out. The first cycle is a reset, and nothing is compared in it.
 */

#ifndef VECTORS_H
#define VECTORS_H

#include <stdio.h>

#include "base/unit.h"

/* ---- Writing ------------------------------------------------------------------------- */

struct vector_writer;

/* NULL, with the reason on stderr, if the file cannot be made. */
struct vector_writer *vector_writer_open(const struct unit *unit, const char *file);
/* One cycle: the unit's inputs, outputs and registers as they are now. */
void vector_write(struct vector_writer *writer, bool reset);
/* Only now the file has its name. False, reason on stderr, if it is not written. */
bool vector_writer_close(struct vector_writer *writer);
/* In its place: there will be no file. */
void vector_writer_abandon(struct vector_writer *writer);

/* ---- Reading ------------------------------------------------------------------------- */

struct vector_reader;

/* Makes the unit the file is for, once its checksum is found right. NULL, with the reason on
 * stderr, if it cannot. */
struct vector_reader *vector_reader_open(const char *file, struct unit **unit);

/* 1 with the next cycle; 0 after the last; -1, reason on stderr, if it is wrong. */
int vector_read(struct vector_reader *reader, bool *reset, void *in, void *out, void *state);
void vector_reader_close(struct vector_reader *reader);

#endif
