/* ptx_declare - variables: what ptx_declare.c and ptx_function.c share. */

#ifndef PTX_DECLARE_H
#define PTX_DECLARE_H

#include "ptx/read/ptx_syntax.h"

/* Of what is being declared. */
struct ptx_object *ptx_new_object(struct ptx_build *b, struct ptx_token name);
/* Has it a type of variables? */
bool ptx_check_type(struct ptx_build *b, struct ptx_token name);

#endif
