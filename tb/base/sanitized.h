/* sanitized - a sanitized program takes several times as long, so some tests do less in it. */

#ifndef SANITIZED_H
#define SANITIZED_H

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

#endif
