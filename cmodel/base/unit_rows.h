/*
 * unit_rows - the rows of UNIT's port table, through the row macros the includer
 * has defined; the others come to nothing. Undefines them all again. No include
 * guard: it is a template.
 */

#ifndef PARAM
#define PARAM(...)
#endif
#ifndef CONST
#define CONST(...)
#endif
#ifndef IN
#define IN(...)
#endif
#ifndef OUT
#define OUT(...)
#endif
#ifndef PATH
#define PATH(...)
#endif
#ifndef REG
#define REG(...)
#endif
#ifndef MEM
#define MEM(...)
#endif
#ifndef PART
#define PART(...)
#endif
#ifndef PARTS
#define PARTS(...)
#endif
#ifndef DERIVED
#define DERIVED(...)
#endif
#ifndef EVENT
#define EVENT(...)
#endif
#ifndef QUIET
#define QUIET()
#endif
#ifndef ADVANCE
#define ADVANCE()
#endif

/* A path has no blanks. */
/* clang-format off */
#define UNIT_FILE(u) UNIT_FILE_(units/u##_ports.def)
/* clang-format on */
#define UNIT_FILE_(f) #f
#define UNIT_TABLE(u) UNIT_FILE(u)
#include UNIT_TABLE(UNIT)
#undef UNIT_FILE
#undef UNIT_FILE_
#undef UNIT_TABLE

#undef PARAM
#undef CONST
#undef IN
#undef OUT
#undef PATH
#undef REG
#undef MEM
#undef PART
#undef PARTS
#undef DERIVED
#undef EVENT
#undef QUIET
#undef ADVANCE
