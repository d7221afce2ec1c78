/* folder_names - the YAML files of a folder, which users name without path and ending. */

#ifndef FOLDER_NAMES_H
#define FOLDER_NAMES_H

/* Calls each(self, name, title) in the order of names; title is the comment in the file's
 * first line. */
void folder_names(const char *folder,
                  void (*each)(void *self, const char *name, const char *title), void *self);

#endif
