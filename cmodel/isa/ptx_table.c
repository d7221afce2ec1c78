/* ptx_table - see ptx_table.h. */

#include "ptx_table.h"

#define T(type)  (1u << PTX_##type)
#define M(mode)  (UINT64_C(1) << MODE_##mode)
#define R(round) (1u << ROUND_##round)

#define NOTHING  T(NONE)
#define INTEGERS (T(U16) | T(U32) | T(U64) | T(S16) | T(S32) | T(S64))
#define WIDER    (T(U32) | T(U64) | T(S32) | T(S64))
#define BITS     (T(B16) | T(B32) | T(B64))
#define HALVES   (T(F16) | T(F16X2))
#define FLOATS   (T(F32) | T(F64))
#define BYTES    (T(B8) | T(U8) | T(S8))
#define ANY      (INTEGERS | BITS | FLOATS)
#define PLAIN    M(NONE)
#define PARTS    (M(LO) | M(HI))
#define EXACT    R(NONE)
#define TO_FLOAT (R(RN) | R(RZ) | R(RM) | R(RP))
#define ROUNDED  (TO_FLOAT | R(NONE))
#define TO_WHOLE (R(RNI) | R(RZI) | R(RMI) | R(RPI))
#define LOGIC    (M(AND) | M(OR) | M(XOR))

/* One line a row; a table of any other shape is harder to read. */
/* clang-format off */
const struct ptx_rule ptx_rules[] = {
    { PTX_ABS, T(S16) | T(S32) | T(S64) | T(F64), NOTHING, PLAIN, EXACT, 0, "t=t" },
    { PTX_ABS, T(F32) | HALVES, NOTHING, PLAIN, EXACT, FLAG_FTZ, "t=t" },
    { PTX_ACTIVEMASK, T(B32), NOTHING, PLAIN, EXACT, 0, "t=" },
    { PTX_ADD, T(U16) | T(S16), NOTHING, PLAIN, EXACT, 0, "t=tt" },
    { PTX_ADD, T(S32), NOTHING, PLAIN, EXACT, FLAG_SAT | FLAG_CC, "t=tt" },
    { PTX_ADD, T(U32) | T(U64) | T(S64), NOTHING, PLAIN, EXACT, FLAG_CC, "t=tt" },
    { PTX_ADD, T(F32), NOTHING, PLAIN, ROUNDED, FLAG_FTZ | FLAG_SAT, "t=tt" },
    { PTX_ADD, T(F64), NOTHING, PLAIN, ROUNDED, 0, "t=tt" },
    { PTX_ADD, HALVES, NOTHING, PLAIN, EXACT | R(RN), FLAG_FTZ | FLAG_SAT, "t=tt" },
    { PTX_ADDC, WIDER, NOTHING, PLAIN, EXACT, FLAG_CC, "t=tt" },
    { PTX_AND, BITS | T(PRED), NOTHING, PLAIN, EXACT, 0, "t=tt" },
    { PTX_ATOM, T(U32) | T(S32) | T(U64) | T(S64) | FLOATS | HALVES, NOTHING, M(ADD), EXACT, FLAG_VOLATILE, "o=at" },
    { PTX_ATOM, WIDER, NOTHING, M(MIN) | M(MAX), EXACT, FLAG_VOLATILE, "o=at" },
    { PTX_ATOM, T(U32), NOTHING, M(INC) | M(DEC), EXACT, FLAG_VOLATILE, "o=at" },
    { PTX_ATOM, T(B32) | T(B64), NOTHING, LOGIC | M(EXCH), EXACT, FLAG_VOLATILE, "o=at" },
    { PTX_ATOM, BITS, NOTHING, M(CAS), EXACT, FLAG_VOLATILE, "o=att" },
    { PTX_BAR, NOTHING, NOTHING, M(SYNC), EXACT, 0, "=u?u" },
    { PTX_BAR, NOTHING, NOTHING, M(ARRIVE), EXACT, 0, "=uu" },
    { PTX_BAR, NOTHING, NOTHING, M(WARP_SYNC), EXACT, 0, "=u" },
    { PTX_BAR, T(U32), NOTHING, M(RED_POPC), EXACT, 0, "t=u?up" },
    { PTX_BAR, T(PRED), NOTHING, M(RED_AND) | M(RED_OR), EXACT, 0, "t=u?up" },
    { PTX_BFE, WIDER, NOTHING, PLAIN, EXACT, 0, "t=tuu" },
    { PTX_BFI, T(B32) | T(B64), NOTHING, PLAIN, EXACT, 0, "t=ttuu" },
    { PTX_BFIND, WIDER, NOTHING, PLAIN, EXACT, FLAG_SHIFTAMT, "u=t" },
    { PTX_BREV, T(B32) | T(B64), NOTHING, PLAIN, EXACT, 0, "t=t" },
    { PTX_BRKPT, NOTHING, NOTHING, PLAIN, EXACT, 0, "=" },
    { PTX_CLZ, T(B32) | T(B64), NOTHING, PLAIN, EXACT, 0, "u=t" },
    { PTX_CNOT, BITS, NOTHING, PLAIN, EXACT, 0, "t=t" },
    { PTX_COPYSIGN, FLOATS, NOTHING, PLAIN, EXACT, 0, "t=tt" },
    { PTX_COS, T(F32), NOTHING, PLAIN, R(APPROX), FLAG_FTZ, "t=t" },
    { PTX_CVT, INTEGERS | T(U8) | T(S8) | T(F16) | FLOATS, INTEGERS | T(U8) | T(S8) | T(F16) | FLOATS,
      PLAIN, ROUNDED | TO_WHOLE, FLAG_FTZ | FLAG_SAT, "d=c" },
    { PTX_CVT, T(F16X2), T(F32), PLAIN, R(RN) | R(RZ), 0, "t=ss" },
    { PTX_CVTA, T(U64), NOTHING, PLAIN, EXACT, FLAG_TO, "t=t" },
    { PTX_DIV, INTEGERS, NOTHING, PLAIN, EXACT, 0, "t=tt" },
    { PTX_DIV, T(F32), NOTHING, PLAIN, TO_FLOAT | R(APPROX) | R(FULL), FLAG_FTZ, "t=tt" },
    { PTX_DIV, T(F64), NOTHING, PLAIN, TO_FLOAT, 0, "t=tt" },
    { PTX_DP2A, T(U32) | T(S32), T(U32) | T(S32), PARTS, EXACT, 0, "t=tst" },
    { PTX_DP4A, T(U32) | T(S32), T(U32) | T(S32), PLAIN, EXACT, 0, "t=tst" },
    { PTX_EX2, T(F32), NOTHING, PLAIN, R(APPROX), FLAG_FTZ, "t=t" },
    { PTX_EX2, HALVES, NOTHING, PLAIN, R(APPROX), 0, "t=t" },
    { PTX_EXIT, NOTHING, NOTHING, PLAIN, EXACT, 0, "=" },
    { PTX_FENCE, NOTHING, NOTHING, PLAIN, EXACT, 0, "=" },
    { PTX_FMA, T(F32), NOTHING, PLAIN, TO_FLOAT, FLAG_FTZ | FLAG_SAT, "t=ttt" },
    { PTX_FMA, T(F64), NOTHING, PLAIN, TO_FLOAT, 0, "t=ttt" },
    { PTX_FMA, HALVES, NOTHING, PLAIN, R(RN), FLAG_FTZ | FLAG_SAT, "t=ttt" },
    { PTX_FNS, T(B32), NOTHING, PLAIN, EXACT, 0, "t=ttt" },
    { PTX_ISSPACEP, NOTHING, NOTHING, PLAIN, EXACT, 0, "p=x" },
    { PTX_LD, ANY | BYTES, NOTHING, PLAIN, EXACT, FLAG_NC | FLAG_VOLATILE, "d=a" },
    { PTX_LDU, ANY | BYTES, NOTHING, PLAIN, EXACT, 0, "d=a" },
    { PTX_LG2, T(F32), NOTHING, PLAIN, R(APPROX), FLAG_FTZ, "t=t" },
    { PTX_LOP3, T(B32), NOTHING, PLAIN, EXACT, 0, "t=tttl" },
    { PTX_MAD, INTEGERS, NOTHING, M(LO), EXACT, FLAG_CC, "t=ttt" },
    { PTX_MAD, INTEGERS, NOTHING, M(HI), EXACT, FLAG_CC | FLAG_SAT, "t=ttt" },
    { PTX_MAD, T(U16) | T(S16) | T(U32) | T(S32), NOTHING, M(WIDE), EXACT, 0, "w=ttw" },
    { PTX_MAD, T(F32), NOTHING, PLAIN, TO_FLOAT, FLAG_FTZ | FLAG_SAT, "t=ttt" },
    { PTX_MAD, T(F64), NOTHING, PLAIN, TO_FLOAT, 0, "t=ttt" },
    { PTX_MAD24, T(U32) | T(S32), NOTHING, M(LO), EXACT, 0, "t=ttt" },
    { PTX_MAD24, T(U32) | T(S32), NOTHING, M(HI), EXACT, FLAG_SAT, "t=ttt" },
    { PTX_MADC, WIDER, NOTHING, PARTS, EXACT, FLAG_CC, "t=ttt" },
    { PTX_MATCH, T(B32) | T(B64), NOTHING, M(ANY), EXACT, 0, "u=tu" },
    { PTX_MATCH, T(B32) | T(B64), NOTHING, M(ALL), EXACT, 0, "u|p=tu" },
    { PTX_MAX, INTEGERS | T(F64), NOTHING, PLAIN, EXACT, 0, "t=tt" },
    { PTX_MAX, T(F32) | HALVES, NOTHING, PLAIN, EXACT, FLAG_FTZ, "t=tt" },
    { PTX_MEMBAR, NOTHING, NOTHING, PLAIN, EXACT, 0, "=" },
    { PTX_MIN, INTEGERS | T(F64), NOTHING, PLAIN, EXACT, 0, "t=tt" },
    { PTX_MIN, T(F32) | HALVES, NOTHING, PLAIN, EXACT, FLAG_FTZ, "t=tt" },
    { PTX_MOV, ANY | HALVES | T(PRED), NOTHING, PLAIN, EXACT, 0, "t=t" },
    { PTX_MUL, INTEGERS, NOTHING, PARTS, EXACT, 0, "t=tt" },
    { PTX_MUL, T(U16) | T(S16) | T(U32) | T(S32), NOTHING, M(WIDE), EXACT, 0, "w=tt" },
    { PTX_MUL, T(F32), NOTHING, PLAIN, ROUNDED, FLAG_FTZ | FLAG_SAT, "t=tt" },
    { PTX_MUL, T(F64), NOTHING, PLAIN, ROUNDED, 0, "t=tt" },
    { PTX_MUL, HALVES, NOTHING, PLAIN, EXACT | R(RN), FLAG_FTZ | FLAG_SAT, "t=tt" },
    { PTX_MUL24, T(U32) | T(S32), NOTHING, PARTS, EXACT, 0, "t=tt" },
    { PTX_NANOSLEEP, T(U32), NOTHING, PLAIN, EXACT, 0, "=t" },
    { PTX_NEG, T(S16) | T(S32) | T(S64) | T(F64), NOTHING, PLAIN, EXACT, 0, "t=t" },
    { PTX_NEG, T(F32) | HALVES, NOTHING, PLAIN, EXACT, FLAG_FTZ, "t=t" },
    { PTX_NOT, BITS | T(PRED), NOTHING, PLAIN, EXACT, 0, "t=t" },
    { PTX_OR, BITS | T(PRED), NOTHING, PLAIN, EXACT, 0, "t=tt" },
    { PTX_PMEVENT, NOTHING, NOTHING, PLAIN, EXACT, 0, "=u" },
    { PTX_POPC, T(B32) | T(B64), NOTHING, PLAIN, EXACT, 0, "u=t" },
    { PTX_PREFETCH, NOTHING, NOTHING, PLAIN, EXACT, 0, "=a" },
    { PTX_PREFETCHU, NOTHING, NOTHING, PLAIN, EXACT, 0, "=a" },
    { PTX_PRMT, T(B32), NOTHING, PLAIN | M(F4E) | M(B4E) | M(RC8) | M(ECL) | M(ECR) | M(RC16), EXACT, 0, "t=ttt" },
    { PTX_RCP, T(F32), NOTHING, PLAIN, TO_FLOAT | R(APPROX), FLAG_FTZ, "t=t" },
    { PTX_RCP, T(F64), NOTHING, PLAIN, TO_FLOAT | R(APPROX), FLAG_FTZ, "t=t" },
    { PTX_RED, T(U32) | T(S32) | T(U64) | T(S64) | FLOATS | HALVES, NOTHING, M(ADD), EXACT, FLAG_VOLATILE, "=at" },
    { PTX_RED, WIDER, NOTHING, M(MIN) | M(MAX), EXACT, FLAG_VOLATILE, "=at" },
    { PTX_RED, T(U32), NOTHING, M(INC) | M(DEC), EXACT, FLAG_VOLATILE, "=at" },
    { PTX_RED, T(B32) | T(B64), NOTHING, LOGIC, EXACT, FLAG_VOLATILE, "=at" },
    { PTX_REM, INTEGERS, NOTHING, PLAIN, EXACT, 0, "t=tt" },
    { PTX_RET, NOTHING, NOTHING, PLAIN, EXACT, FLAG_UNIFORM, "=" },
    { PTX_RSQRT, FLOATS, NOTHING, PLAIN, R(APPROX), FLAG_FTZ, "t=t" },
    { PTX_SAD, INTEGERS, NOTHING, PLAIN, EXACT, 0, "t=ttt" },
    { PTX_SELP, ANY, NOTHING, PLAIN, EXACT, 0, "t=ttp" },
    { PTX_SET, T(U32) | T(S32) | T(F32), ANY, PLAIN, EXACT, FLAG_FTZ, "t=ss?p" },
    { PTX_SET, HALVES | T(U16) | T(S16) | T(U32) | T(S32), HALVES, PLAIN, EXACT, FLAG_FTZ, "t=ss?p" },
    { PTX_SETP, ANY | T(F16) | T(F16X2), NOTHING, PLAIN, EXACT, FLAG_FTZ, "p|p=tt?p" },
    { PTX_SHF, T(B32), NOTHING, M(L) | M(R), EXACT, FLAG_CLAMP, "t=ttu" },
    { PTX_SHFL, T(B32), NOTHING, M(UP) | M(DOWN) | M(BFLY) | M(IDX), EXACT, 0, "t|p=tuu?u" },
    { PTX_SHL, BITS, NOTHING, PLAIN, EXACT, 0, "t=tu" },
    { PTX_SHR, BITS | INTEGERS, NOTHING, PLAIN, EXACT, 0, "t=tu" },
    { PTX_SIN, T(F32), NOTHING, PLAIN, R(APPROX), FLAG_FTZ, "t=t" },
    { PTX_SLCT, ANY, T(S32) | T(F32), PLAIN, EXACT, FLAG_FTZ, "t=tts" },
    { PTX_SQRT, T(F32), NOTHING, PLAIN, TO_FLOAT | R(APPROX), FLAG_FTZ, "t=t" },
    { PTX_SQRT, T(F64), NOTHING, PLAIN, TO_FLOAT, 0, "t=t" },
    { PTX_ST, ANY | BYTES, NOTHING, PLAIN, EXACT, FLAG_VOLATILE, "=ad" },
    { PTX_SUB, T(U16) | T(S16), NOTHING, PLAIN, EXACT, 0, "t=tt" },
    { PTX_SUB, T(S32), NOTHING, PLAIN, EXACT, FLAG_SAT | FLAG_CC, "t=tt" },
    { PTX_SUB, T(U32) | T(U64) | T(S64), NOTHING, PLAIN, EXACT, FLAG_CC, "t=tt" },
    { PTX_SUB, T(F32), NOTHING, PLAIN, ROUNDED, FLAG_FTZ | FLAG_SAT, "t=tt" },
    { PTX_SUB, T(F64), NOTHING, PLAIN, ROUNDED, 0, "t=tt" },
    { PTX_SUB, HALVES, NOTHING, PLAIN, EXACT | R(RN), FLAG_FTZ | FLAG_SAT, "t=tt" },
    { PTX_SUBC, WIDER, NOTHING, PLAIN, EXACT, FLAG_CC, "t=tt" },
    { PTX_TANH, T(F32) | HALVES, NOTHING, PLAIN, R(APPROX), 0, "t=t" },
    { PTX_TESTP, FLOATS, NOTHING, M(FINITE) | M(INFINITE) | M(NUMBER) | M(NOTANUMBER) | M(NORMAL) | M(SUBNORMAL),
      EXACT, 0, "p=t" },
    { PTX_TRAP, NOTHING, NOTHING, PLAIN, EXACT, 0, "=" },
    { PTX_VOTE, T(PRED), NOTHING, M(ALL) | M(ANY) | M(UNI), EXACT, 0, "t=p?u" },
    { PTX_VOTE, T(B32), NOTHING, M(BALLOT), EXACT, 0, "t=p?u" },
    { PTX_XOR, BITS | T(PRED), NOTHING, PLAIN, EXACT, 0, "t=tt" },
};
/* clang-format on */
const uint32_t ptx_rule_count = sizeof ptx_rules / sizeof ptx_rules[0];
