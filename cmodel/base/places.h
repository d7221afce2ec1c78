/*
 * places - where a program finds its data, and where it puts what it makes. No path is compiled
 * in: the folders that hold the program are searched, from the innermost to the root, for
 *
 *   checkout           a build folder: the link that make puts there, to the sources
 *   share/gpusched     an installation, as below PREFIX
 *
 * The environment variable GPUSCHED_DATA, if set, is searched instead: it names such a folder,
 * a checkout, or an installation's share/gpusched. Where nothing is found, the first function
 * that needs it says so in one line on stderr and ends the program with exit status 2.
 */

#ifndef PLACES_H
#define PLACES_H

#include <stdbool.h>
#include <stddef.h>

enum { PLACES_PATH = 4096 };

/* The folder that has configs, rtl and a Makefile: a checkout, or share/gpusched. */
const char *places_data(void);

/* The folder of the CUDA workloads' kernels, <workload>.ptx. */
const char *places_kernels(void);

/* The folder for what runs make and keep, libraries of RTL and reports: the build folder if it
 * can be written, otherwise $XDG_CACHE_HOME/gpusched or ~/.cache/gpusched, which is made. */
const char *places_made(void);

/* A folder is there under this name. */
bool places_is_folder(const char *path);

/* The folder therein for reports of differences. */
const char *places_reports(void);

/* A path that lies in places_data(), as seen from there; another one as it is. */
const char *places_below(const char *path);

/* The program gpusched-unit of the same build or installation. */
const char *places_unit_tool(void);

/* Whether a configuration is named and not given as a file: a file has a slash in its name or
 * ends with .yaml. */
bool places_is_name(const char *text);

/* The file of a configuration: kind is gpu, workloads or experiments. What is no name is a file
 * by itself. False if path has not room for it. */
bool places_config(const char *kind, const char *text, char *path, size_t size);

#endif
