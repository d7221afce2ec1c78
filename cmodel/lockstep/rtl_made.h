/*
 * rtl_made - whether a library of RTL is what `make` would make, without a run of make. Beside
 * each library, rtl_library.sh leaves the file LIBRARY.so.made, which says what the library was
 * made of:
 *
 *   gpusched-made DIGEST          the digest at the library's end
 *   file SHA256 PATH              a source, script, or object; PATH as seen from the sources
 *   names SHA256 FOLDER           the names of the Verilog files in a folder
 *   tool NAME PATH SIZE MTIME     a program, where PATH finds it; "-" alone: it finds none
 */

#ifndef RTL_MADE_H
#define RTL_MADE_H

#include <stdbool.h>
#include <stddef.h>

/* True if the library is there and all this still holds. False sends the caller to make, which
 * decides; so a doubt is always false. */
bool rtl_made(const char *library);

/* Where the shell finds a program. False if it does not. */
bool rtl_find_program(const char *name, char *path, size_t size);

#endif
