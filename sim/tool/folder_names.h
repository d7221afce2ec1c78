/* folder_names - the YAML files of a folder of configs, which users name without path and
 * ending. */

#ifndef FOLDER_NAMES_H
#define FOLDER_NAMES_H

/* Calls each(self, name, title) for the files of configs/<kind> of the data (places.h), in the
 * order of names; title is the comment in the file's first line. */
void folder_names(const char *kind,
                  void (*each)(void *self, const char *name, const char *title), void *self);

#endif
