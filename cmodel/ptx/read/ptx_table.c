/* ptx_table - see ptx_table.h. */

#include "ptx/read/ptx_table.h"

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
    { PTX_ABS, 0, T(S16) | T(S32) | T(S64) | T(F64), NOTHING, EXACT, PLAIN, "t=t" },
    { PTX_ABS, FLAG_FTZ, T(F32) | HALVES, NOTHING, EXACT, PLAIN, "t=t" },
    { PTX_ACTIVEMASK, 0, T(B32), NOTHING, EXACT, PLAIN, "t=" },
    { PTX_ADD, 0, T(U16) | T(S16), NOTHING, EXACT, PLAIN, "t=tt" },
    { PTX_ADD, FLAG_SAT | FLAG_CC, T(S32), NOTHING, EXACT, PLAIN, "t=tt" },
    { PTX_ADD, FLAG_CC, T(U32) | T(U64) | T(S64), NOTHING, EXACT, PLAIN, "t=tt" },
    { PTX_ADD, FLAG_FTZ | FLAG_SAT, T(F32), NOTHING, ROUNDED, PLAIN, "t=tt" },
    { PTX_ADD, 0, T(F64), NOTHING, ROUNDED, PLAIN, "t=tt" },
    { PTX_ADD, FLAG_FTZ | FLAG_SAT, HALVES, NOTHING, EXACT | R(RN), PLAIN, "t=tt" },
    { PTX_ADDC, FLAG_CC, WIDER, NOTHING, EXACT, PLAIN, "t=tt" },
    { PTX_AND, 0, BITS | T(PRED), NOTHING, EXACT, PLAIN, "t=tt" },
    { PTX_ATOM, FLAG_VOLATILE, T(U32) | T(S32) | T(U64) | T(S64) | FLOATS | HALVES, NOTHING, EXACT, M(ADD), "o=at" },
    { PTX_ATOM, FLAG_VOLATILE, WIDER, NOTHING, EXACT, M(MIN) | M(MAX), "o=at" },
    { PTX_ATOM, FLAG_VOLATILE, T(U32), NOTHING, EXACT, M(INC) | M(DEC), "o=at" },
    { PTX_ATOM, FLAG_VOLATILE, T(B32) | T(B64), NOTHING, EXACT, LOGIC | M(EXCH), "o=at" },
    { PTX_ATOM, FLAG_VOLATILE, BITS, NOTHING, EXACT, M(CAS), "o=att" },
    { PTX_BAR, 0, NOTHING, NOTHING, EXACT, M(SYNC), "=u?u" },
    { PTX_BAR, 0, NOTHING, NOTHING, EXACT, M(ARRIVE), "=uu" },
    { PTX_BAR, 0, NOTHING, NOTHING, EXACT, M(WARP_SYNC), "=u" },
    { PTX_BAR, 0, T(U32), NOTHING, EXACT, M(RED_POPC), "t=u?up" },
    { PTX_BAR, 0, T(PRED), NOTHING, EXACT, M(RED_AND) | M(RED_OR), "t=u?up" },
    { PTX_BFE, 0, WIDER, NOTHING, EXACT, PLAIN, "t=tuu" },
    { PTX_BFI, 0, T(B32) | T(B64), NOTHING, EXACT, PLAIN, "t=ttuu" },
    { PTX_BFIND, FLAG_SHIFTAMT, WIDER, NOTHING, EXACT, PLAIN, "u=t" },
    { PTX_BMSK, 0, T(B32), NOTHING, EXACT, M(CLAMP) | M(WRAP), "t=tt" },
    { PTX_BREV, 0, T(B32) | T(B64), NOTHING, EXACT, PLAIN, "t=t" },
    { PTX_BRKPT, 0, NOTHING, NOTHING, EXACT, PLAIN, "=" },
    { PTX_BRX, FLAG_UNIFORM, NOTHING, NOTHING, EXACT, M(IDX), "=u" },
    { PTX_CLZ, 0, T(B32) | T(B64), NOTHING, EXACT, PLAIN, "u=t" },
    { PTX_CNOT, 0, BITS, NOTHING, EXACT, PLAIN, "t=t" },
    { PTX_COPYSIGN, 0, FLOATS, NOTHING, EXACT, PLAIN, "t=tt" },
    { PTX_COS, FLAG_FTZ, T(F32), NOTHING, R(APPROX), PLAIN, "t=t" },
    { PTX_CVT, FLAG_FTZ | FLAG_SAT, INTEGERS | T(U8) | T(S8) | T(F16) | FLOATS, INTEGERS | T(U8) | T(S8) | T(F16) | FLOATS, ROUNDED | TO_WHOLE, PLAIN, "d=c" },
    { PTX_CVT, 0, T(F16X2), T(F32), R(RN) | R(RZ), PLAIN, "t=ss" },
    { PTX_CVTA, FLAG_TO, T(U64), NOTHING, EXACT, PLAIN, "t=t" },
    { PTX_DIV, 0, INTEGERS, NOTHING, EXACT, PLAIN, "t=tt" },
    { PTX_DIV, FLAG_FTZ, T(F32), NOTHING, TO_FLOAT | R(APPROX) | R(FULL), PLAIN, "t=tt" },
    { PTX_DIV, 0, T(F64), NOTHING, TO_FLOAT, PLAIN, "t=tt" },
    { PTX_DP2A, 0, T(U32) | T(S32), T(U32) | T(S32), EXACT, PARTS, "t=tst" },
    { PTX_DP4A, 0, T(U32) | T(S32), T(U32) | T(S32), EXACT, PLAIN, "t=tst" },
    { PTX_EX2, FLAG_FTZ, T(F32), NOTHING, R(APPROX), PLAIN, "t=t" },
    { PTX_EX2, 0, HALVES, NOTHING, R(APPROX), PLAIN, "t=t" },
    { PTX_EXIT, 0, NOTHING, NOTHING, EXACT, PLAIN, "=" },
    { PTX_FENCE, FLAG_CTA, NOTHING, NOTHING, EXACT, PLAIN, "=" },
    { PTX_FMA, FLAG_FTZ | FLAG_SAT, T(F32), NOTHING, TO_FLOAT, PLAIN, "t=ttt" },
    { PTX_FMA, 0, T(F64), NOTHING, TO_FLOAT, PLAIN, "t=ttt" },
    { PTX_FMA, FLAG_FTZ | FLAG_SAT, HALVES, NOTHING, R(RN), PLAIN, "t=ttt" },
    { PTX_FNS, 0, T(B32), NOTHING, EXACT, PLAIN, "t=ttt" },
    { PTX_ISSPACEP, 0, NOTHING, NOTHING, EXACT, PLAIN, "p=x" },
    { PTX_LD, FLAG_NC | FLAG_VOLATILE | FLAG_UNCACHED | FLAG_ORDERED, ANY | BYTES, NOTHING, EXACT, PLAIN, "d=a" },
    { PTX_LDU, FLAG_UNCACHED | FLAG_ORDERED, ANY | BYTES, NOTHING, EXACT, PLAIN, "d=a" },
    { PTX_LG2, FLAG_FTZ, T(F32), NOTHING, R(APPROX), PLAIN, "t=t" },
    { PTX_LOP3, 0, T(B32), NOTHING, EXACT, PLAIN, "t=tttl" },
    { PTX_MAD, FLAG_CC, INTEGERS, NOTHING, EXACT, M(LO), "t=ttt" },
    { PTX_MAD, FLAG_CC | FLAG_SAT, INTEGERS, NOTHING, EXACT, M(HI), "t=ttt" },
    { PTX_MAD, 0, T(U16) | T(S16) | T(U32) | T(S32), NOTHING, EXACT, M(WIDE), "w=ttw" },
    { PTX_MAD, FLAG_FTZ | FLAG_SAT, T(F32), NOTHING, TO_FLOAT, PLAIN, "t=ttt" },
    { PTX_MAD, 0, T(F64), NOTHING, TO_FLOAT, PLAIN, "t=ttt" },
    { PTX_MAD24, 0, T(U32) | T(S32), NOTHING, EXACT, M(LO), "t=ttt" },
    { PTX_MAD24, FLAG_SAT, T(U32) | T(S32), NOTHING, EXACT, M(HI), "t=ttt" },
    { PTX_MADC, FLAG_CC, WIDER, NOTHING, EXACT, PARTS, "t=ttt" },
    { PTX_MATCH, 0, T(B32) | T(B64), NOTHING, EXACT, M(ANY), "u=tu" },
    { PTX_MATCH, 0, T(B32) | T(B64), NOTHING, EXACT, M(ALL), "u|p=tu" },
    { PTX_MAX, 0, INTEGERS | T(F64), NOTHING, EXACT, PLAIN, "t=tt" },
    { PTX_MAX, FLAG_FTZ, T(F32) | HALVES, NOTHING, EXACT, PLAIN, "t=tt" },
    { PTX_MEMBAR, FLAG_CTA, NOTHING, NOTHING, EXACT, PLAIN, "=" },
    { PTX_MIN, 0, INTEGERS | T(F64), NOTHING, EXACT, PLAIN, "t=tt" },
    { PTX_MIN, FLAG_FTZ, T(F32) | HALVES, NOTHING, EXACT, PLAIN, "t=tt" },
    { PTX_MOV, 0, ANY | HALVES | T(PRED), NOTHING, EXACT, PLAIN, "t=t" },
    { PTX_MUL, 0, INTEGERS, NOTHING, EXACT, PARTS, "t=tt" },
    { PTX_MUL, 0, T(U16) | T(S16) | T(U32) | T(S32), NOTHING, EXACT, M(WIDE), "w=tt" },
    { PTX_MUL, FLAG_FTZ | FLAG_SAT, T(F32), NOTHING, ROUNDED, PLAIN, "t=tt" },
    { PTX_MUL, 0, T(F64), NOTHING, ROUNDED, PLAIN, "t=tt" },
    { PTX_MUL, FLAG_FTZ | FLAG_SAT, HALVES, NOTHING, EXACT | R(RN), PLAIN, "t=tt" },
    { PTX_MUL24, 0, T(U32) | T(S32), NOTHING, EXACT, PARTS, "t=tt" },
    { PTX_NANOSLEEP, 0, T(U32), NOTHING, EXACT, PLAIN, "=t" },
    { PTX_NEG, 0, T(S16) | T(S32) | T(S64) | T(F64), NOTHING, EXACT, PLAIN, "t=t" },
    { PTX_NEG, FLAG_FTZ, T(F32) | HALVES, NOTHING, EXACT, PLAIN, "t=t" },
    { PTX_NOT, 0, BITS | T(PRED), NOTHING, EXACT, PLAIN, "t=t" },
    { PTX_OR, 0, BITS | T(PRED), NOTHING, EXACT, PLAIN, "t=tt" },
    { PTX_PMEVENT, 0, NOTHING, NOTHING, EXACT, PLAIN, "=u" },
    { PTX_POPC, 0, T(B32) | T(B64), NOTHING, EXACT, PLAIN, "u=t" },
    { PTX_PREFETCH, 0, NOTHING, NOTHING, EXACT, PLAIN, "=a" },
    { PTX_PREFETCHU, 0, NOTHING, NOTHING, EXACT, PLAIN, "=a" },
    { PTX_PRMT, 0, T(B32), NOTHING, EXACT, PLAIN | M(F4E) | M(B4E) | M(RC8) | M(ECL) | M(ECR) | M(RC16), "t=ttt" },
    { PTX_RCP, FLAG_FTZ, T(F32), NOTHING, TO_FLOAT | R(APPROX), PLAIN, "t=t" },
    { PTX_RCP, FLAG_FTZ, T(F64), NOTHING, TO_FLOAT | R(APPROX), PLAIN, "t=t" },
    { PTX_RED, FLAG_VOLATILE, T(U32) | T(S32) | T(U64) | T(S64) | FLOATS | HALVES, NOTHING, EXACT, M(ADD), "=at" },
    { PTX_RED, FLAG_VOLATILE, WIDER, NOTHING, EXACT, M(MIN) | M(MAX), "=at" },
    { PTX_RED, FLAG_VOLATILE, T(U32), NOTHING, EXACT, M(INC) | M(DEC), "=at" },
    { PTX_RED, FLAG_VOLATILE, T(B32) | T(B64), NOTHING, EXACT, LOGIC, "=at" },
    { PTX_REM, 0, INTEGERS, NOTHING, EXACT, PLAIN, "t=tt" },
    { PTX_RET, FLAG_UNIFORM, NOTHING, NOTHING, EXACT, PLAIN, "=" },
    { PTX_RSQRT, FLAG_FTZ, FLOATS, NOTHING, R(APPROX), PLAIN, "t=t" },
    { PTX_SAD, 0, INTEGERS, NOTHING, EXACT, PLAIN, "t=ttt" },
    { PTX_SELP, 0, ANY, NOTHING, EXACT, PLAIN, "t=ttp" },
    { PTX_SET, FLAG_FTZ, T(U32) | T(S32) | T(F32), ANY, EXACT, PLAIN, "t=ss?p" },
    { PTX_SET, FLAG_FTZ, HALVES | T(U16) | T(S16) | T(U32) | T(S32), HALVES, EXACT, PLAIN, "t=ss?p" },
    { PTX_SETP, FLAG_FTZ, ANY | T(F16) | T(F16X2), NOTHING, EXACT, PLAIN, "p|p=tt?p" },
    { PTX_SHF, FLAG_CLAMP, T(B32), NOTHING, EXACT, M(L) | M(R), "t=ttu" },
    { PTX_SHFL, 0, T(B32), NOTHING, EXACT, M(UP) | M(DOWN) | M(BFLY) | M(IDX), "t|p=tuu?u" },
    { PTX_SHL, 0, BITS, NOTHING, EXACT, PLAIN, "t=tu" },
    { PTX_SHR, 0, BITS | INTEGERS, NOTHING, EXACT, PLAIN, "t=tu" },
    { PTX_SIN, FLAG_FTZ, T(F32), NOTHING, R(APPROX), PLAIN, "t=t" },
    { PTX_SLCT, FLAG_FTZ, ANY, T(S32) | T(F32), EXACT, PLAIN, "t=tts" },
    { PTX_SQRT, FLAG_FTZ, T(F32), NOTHING, TO_FLOAT | R(APPROX), PLAIN, "t=t" },
    { PTX_SQRT, 0, T(F64), NOTHING, TO_FLOAT, PLAIN, "t=t" },
    { PTX_ST, FLAG_VOLATILE | FLAG_UNCACHED | FLAG_ORDERED, ANY | BYTES, NOTHING, EXACT, PLAIN, "=ad" },
    { PTX_SUB, 0, T(U16) | T(S16), NOTHING, EXACT, PLAIN, "t=tt" },
    { PTX_SUB, FLAG_SAT | FLAG_CC, T(S32), NOTHING, EXACT, PLAIN, "t=tt" },
    { PTX_SUB, FLAG_CC, T(U32) | T(U64) | T(S64), NOTHING, EXACT, PLAIN, "t=tt" },
    { PTX_SUB, FLAG_FTZ | FLAG_SAT, T(F32), NOTHING, ROUNDED, PLAIN, "t=tt" },
    { PTX_SUB, 0, T(F64), NOTHING, ROUNDED, PLAIN, "t=tt" },
    { PTX_SUB, FLAG_FTZ | FLAG_SAT, HALVES, NOTHING, EXACT | R(RN), PLAIN, "t=tt" },
    { PTX_SUBC, FLAG_CC, WIDER, NOTHING, EXACT, PLAIN, "t=tt" },
    { PTX_SZEXT, 0, T(U32) | T(S32), NOTHING, EXACT, M(CLAMP) | M(WRAP), "t=tu" },
    { PTX_TANH, 0, T(F32) | HALVES, NOTHING, R(APPROX), PLAIN, "t=t" },
    { PTX_TESTP, 0, FLOATS, NOTHING, EXACT, M(FINITE) | M(INFINITE) | M(NUMBER) | M(NOTANUMBER) | M(NORMAL) | M(SUBNORMAL), "p=t" },
    { PTX_TRAP, 0, NOTHING, NOTHING, EXACT, PLAIN, "=" },
    { PTX_VOTE, 0, T(PRED), NOTHING, EXACT, M(ALL) | M(ANY) | M(UNI), "t=p?u" },
    { PTX_VOTE, 0, T(B32), NOTHING, EXACT, M(BALLOT), "t=p?u" },
    { PTX_XOR, 0, BITS | T(PRED), NOTHING, EXACT, PLAIN, "t=tt" },
};
/* clang-format on */
const uint32_t ptx_rule_count = sizeof ptx_rules / sizeof ptx_rules[0];
