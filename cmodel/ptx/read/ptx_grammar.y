/* ptx_grammar - the grammar of PTX; what it does is in ptx_syntax.h. */

%define api.pure full
%define api.prefix {ptx_}
%define parse.error custom
%param { void *scanner }
%parse-param { struct ptx_build *b }

%code requires {
#include "ptx/read/ptx_syntax.h"
}
%code {
#include <stdio.h>
#include <string.h>

int ptx_lex(PTX_STYPE *value, void *scanner);
static void ptx_error(void *scanner, struct ptx_build *b, const char *what);
#define DO(action)   \
    do {             \
        if (!(action)) { \
            YYABORT; \
        }            \
    } while (0)
static struct ptx_term *new_term(struct ptx_build *b, int kind, const char *name);
static struct ptx_term *append(struct ptx_term *list, struct ptx_term *term);
static bool is_generic(struct ptx_build *b, struct ptx_token name);
}

%union {
    struct ptx_token token;
    struct ptx_number number;
    struct ptx_term *term;
    struct { struct ptx_term *first, *last; uint32_t count; } terms;
    struct ptx_guard guard;
    uint64_t limits[3];
}

%token <token> T_VERSION ".version" T_TARGET ".target" T_ADDRESS_SIZE ".address_size"
%token <token> T_VISIBLE ".visible" T_EXTERN ".extern" T_ENTRY ".entry" T_FUNC ".func"
%token <token> T_REG ".reg" T_ALIGN ".align" T_PTR ".ptr" T_ATTRIBUTE ".attribute"
%token <token> T_TARGETS ".branchtargets"
%token <token> T_PRAGMA ".pragma" T_LIMIT ".maxntid" T_SPACE "state space" T_TYPE "type"
%token <token> T_WORD "directive or modifier" T_CALL "call" T_NAME "name" T_NUMBER "number"
%token <token> T_STRING "string"
%token T_LEFT "<<" T_RIGHT ">>" T_OTHER "no PTX" END 0 "end of the file"

%left '|'
%left '^'
%left '&'
%left T_LEFT T_RIGHT
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY

%type <number> number unary expression offset
%type <term> operand plain address
%type <terms> terms some_terms plains results arguments labels
%type <guard> guard
%type <limits> limits
%type <token> word generic

%%

module:
    %empty
    | module item
    ;

item:
    T_VERSION T_NUMBER          { DO(ptx_version(b, $2.text)); }
    | T_TARGET targets
    | T_ADDRESS_SIZE number     { DO(ptx_address_size(b, $2)); }
    | T_PRAGMA strings ';'
    | linkage declaration       { b->external = false; }
    | linkage function          { b->external = false; }
    | ';'
    | T_WORD                    { DO(ptx_unsupported(b, $1)); }
    ;

targets:
    T_NAME                      { DO(ptx_target(b, $1)); }
    | targets ',' T_NAME        { DO(ptx_target(b, $3)); }
    ;
strings: T_STRING | strings ',' T_STRING ;

linkage:
    %empty
    | linkage T_VISIBLE
    | linkage T_EXTERN          { b->external = true; }
    ;

/* ---- Declarations -------------------------------------------------------------------- */

declaration: variables | registers ;

variables: T_SPACE { ptx_declare(b, $1); } attributes variable_list ';' ;
variable_list: variable | variable_list ',' variable ;
variable:
    T_NAME dimensions           { DO(ptx_variable(b, $1)); }
    first                       { DO(ptx_variable_end(b)); }
    ;
first: %empty | '=' initial ;
attributes: %empty | attributes attribute ;
attribute:
    T_TYPE                      { ptx_declare_type(b, $1); }
    | T_ALIGN number            { DO(ptx_declare_align(b, $2)); }
    | T_PTR                     { b->declaration.pointer = true; }
    | T_SPACE                   { DO(ptx_declare_pointed(b, $1)); }
    | T_ATTRIBUTE '(' T_WORD ')'
    | T_WORD                    { DO(ptx_declare_word(b, $1)); }
    ;

dimensions:
    %empty                      { b->declaration.n_dimension = 0u; }
    | dimensions '[' ']'        { DO(ptx_dimension(b, (struct ptx_number){ 0 })); }
    | dimensions '[' expression ']' {
        if ($3.bits == 0u || $3.kind > NUMBER_UNSIGNED) {
            ptx_fail(b, b->line, "an array of no elements; allowed: 1 and more");
            YYABORT;
        }
        DO(ptx_dimension(b, $3));
    }
    ;

initial:
    expression                  { DO(ptx_initial_number(b, $1)); }
    | T_NAME                    { DO(ptx_initial_address(b, $1, (struct ptx_number){ 0 }, false)); }
    | T_NAME offset             { DO(ptx_initial_address(b, $1, $2, false)); }
    | generic ')'               { DO(ptx_initial_address(b, $1, b->offset, true)); }
    | generic ')' offset        {
        DO(ptx_binary(b, '+', &b->offset, $3));
        DO(ptx_initial_address(b, $1, b->offset, true));
    }
    | '{'                       { DO(ptx_initial_open(b)); }
      initials '}'              { DO(ptx_initial_close(b)); }
    ;
/* generic(name+4: its offset is in the build. */
generic:
    T_NAME '(' T_NAME           { DO(is_generic(b, $1)); $$ = $3; b->offset = (struct ptx_number){ 0 }; }
    | T_NAME '(' T_NAME offset  { DO(is_generic(b, $1)); $$ = $3; b->offset = $4; }
    ;
initials: %empty | initial_list | initial_list ',' ;
initial_list: initial | initial_list ',' initial ;

registers: T_REG { ptx_declare(b, $1); } attributes register_list ';' ;
register_list: register | register_list ',' register ;
register:
    T_NAME                      { DO(ptx_register(b, $1)); }
    | T_NAME '<' number '>'     { DO(ptx_register_range(b, $1, $3)); }
    ;

/* ---- Functions ----------------------------------------------------------------------- */

function:
    T_ENTRY                     { DO(ptx_function_begin(b, true, $1.line)); }
      T_NAME                    { DO(ptx_function_name(b, $3)); }
      formals properties body
    | T_FUNC                    { DO(ptx_function_begin(b, false, $1.line)); b->of_results = true; }
      properties formals        { b->of_results = false; }
      T_NAME                    { DO(ptx_function_name(b, $6)); }
      formals properties body
    ;
formals: %empty | '(' ')' | '(' formal_list ')' ;
formal_list: formal | formal_list ',' formal ;
formal:
    T_SPACE                     { ptx_declare(b, $1); }
      attributes T_NAME dimensions { DO(ptx_formal(b, $4)); }
    | T_REG                     { ptx_declare(b, $1); }
      attributes T_NAME         { b->declaration.n_dimension = 0u; DO(ptx_formal(b, $4)); }
    ;
properties: %empty | properties property ;
property:
    T_LIMIT limits              { DO(ptx_function_limit(b, $1, $2)); }
    | T_PRAGMA strings ';'
    | T_ATTRIBUTE '(' T_WORD ')'
    | T_WORD                    {
        if (strcmp($1.text, ".noreturn") != 0) {
            DO(ptx_unsupported(b, $1));
        }
    }
    ;
limits:
    number                      { $$[0] = $1.bits; $$[1] = $$[2] = 1u; }
    | number ',' number         { $$[0] = $1.bits; $$[1] = $3.bits; $$[2] = 1u; }
    | number ',' number ',' number { $$[0] = $1.bits; $$[1] = $3.bits; $$[2] = $5.bits; }
    ;
body:
    ';'                         { DO(ptx_function_end(b)); }
    | '{'                       { DO(ptx_function_body(b)); }
      statements '}'            { DO(ptx_function_end(b)); }
    ;

statements: %empty | statements statement ;
statement:
    linkage declaration         { b->external = false; }
    | T_NAME ':'                { DO(ptx_label(b, $1)); }
    | T_NAME ':' T_TARGETS labels ';' { DO(ptx_branch_targets(b, $1, $4.first)); }
    | '{'                       { DO(ptx_open_scope(b)); }
      statements '}'            { ptx_close_scope(b); }
    | T_PRAGMA strings ';'
    | T_NAME words terms ';'    {
        DO(ptx_instruction(b, (struct ptx_guard){ NULL, false }, $1, $3.first));
    }
    | guard T_NAME words terms ';' { DO(ptx_instruction(b, $1, $2, $4.first)); }
    | T_CALL words results T_NAME arguments ';' {
        DO(ptx_call(b, (struct ptx_guard){ NULL, false }, $1,
                    (struct ptx_call){ $4.text, $3.first, $5.first }));
    }
    | guard T_CALL words results T_NAME arguments ';' {
        DO(ptx_call(b, $1, $2, (struct ptx_call){ $5.text, $4.first, $6.first }));
    }
    | T_WORD                    { DO(ptx_unsupported(b, $1)); }
    | ';'
    ;

labels:
    T_NAME                      { $$.first = $$.last = new_term(b, TERM_NAME, $1.text); }
    | labels ',' T_NAME         {
        $$ = $1;
        $$.last = append($$.last, new_term(b, TERM_NAME, $3.text));
    }
    ;

/* ---- Instructions -------------------------------------------------------------------- */

guard:
    '@' T_NAME                  { $$ = (struct ptx_guard){ $2.text, false }; }
    | '@' '!' T_NAME            { $$ = (struct ptx_guard){ $3.text, true }; }
    ;
words:
    %empty                      { b->n_word = 0u; }
    | words word                { DO(ptx_word(b, $2)); }
    ;
word: T_WORD | T_TYPE | T_SPACE ;

results:
    %empty                      { $$.first = NULL; }
    | '(' plains ')' ','        { $$ = $2; }
    ;
arguments:
    %empty                      { $$.first = NULL; }
    | ',' '(' ')'               { $$.first = NULL; }
    | ',' '(' plains ')'        { $$ = $3; }
    | ',' '(' plains ')' ',' T_NAME {
        ptx_fail(b, $6.line, "an indirect call through %s; allowed: calls of functions by name",
                 $6.text);
        YYABORT;
    }
    | ',' '(' ')' ',' T_NAME {
        ptx_fail(b, $5.line, "an indirect call through %s; allowed: calls of functions by name",
                 $5.text);
        YYABORT;
    }
    | ',' T_NAME {
        ptx_fail(b, $2.line, "an indirect call through %s; allowed: calls of functions by name",
                 $2.text);
        YYABORT;
    }
    ;

terms: %empty { $$.first = NULL; $$.last = NULL; $$.count = 0u; } | some_terms ;
some_terms:
    operand                     { $$.first = $$.last = $1; $$.count = 1u; }
    | some_terms ',' operand    {
        $$ = $1;
        if (++$$.count > PTX_MAX_TERMS) {
            ptx_fail(b, b->line, "too many operands; allowed: %d", PTX_MAX_TERMS);
            YYABORT;
        }
        $$.last = append($$.last, $3);
    }
    ;
plains:
    plain                       { $$.first = $$.last = $1; $$.count = 1u; }
    | plains ',' plain          {
        $$ = $1;
        if (++$$.count > 4096u) {
            ptx_fail(b, b->line, "too many elements; allowed: 4096");
            YYABORT;
        }
        $$.last = append($$.last, $3);
    }
    ;

operand:
    plain
    | '!' T_NAME                { $$ = new_term(b, TERM_NAME, $2.text); $$->negate = true; }
    | T_NAME '|' T_NAME         { $$ = new_term(b, TERM_PAIR, $1.text); $$->other = $3.text; }
    | T_NAME offset             { $$ = new_term(b, TERM_NAME, $1.text); $$->value = $2; }
    | '[' address ']'           { $$ = $2; }
    | '{' plains '}'            { $$ = new_term(b, TERM_LIST, NULL); $$->list = $2.first; }
    ;
plain:
    T_NAME                      { $$ = new_term(b, TERM_NAME, $1.text); }
    | expression                { $$ = new_term(b, TERM_NUMBER, NULL); $$->value = $1; }
    ;
address:
    T_NAME                      { $$ = new_term(b, TERM_ADDRESS, $1.text); }
    | T_NAME offset             { $$ = new_term(b, TERM_ADDRESS, $1.text); $$->value = $2; }
    | expression                { $$ = new_term(b, TERM_ADDRESS, NULL); $$->value = $1; }
    ;

/* ---- Numbers ------------------------------------------------------------------------- */

offset:
    '+' unary                   { $$ = $2; }
    | '-' unary                 { $$ = $2; DO(ptx_unary(b, '-', &$$)); }
    | offset '+' unary          { $$ = $1; DO(ptx_binary(b, '+', &$$, $3)); }
    | offset '-' unary          { $$ = $1; DO(ptx_binary(b, '-', &$$, $3)); }
    ;
number:
    T_NUMBER                    {
        if (!ptx_read_number($1.text, &$$)) {
            ptx_fail(b, $1.line, "%.60s is no number; allowed: 64 bits: 12, 0x1f, 017, 0b101, "
                     "0f3f800000, 0d3ff0000000000000, 1.5", $1.text);
            YYABORT;
        }
    }
    ;
unary:
    number
    | '-' unary %prec UNARY     { $$ = $2; DO(ptx_unary(b, '-', &$$)); }
    | '~' unary %prec UNARY     { $$ = $2; DO(ptx_unary(b, '~', &$$)); }
    | '(' expression ')'        { $$ = $2; }
    ;
expression:
    unary
    | '!' number                { $$ = $2; DO(ptx_unary(b, '!', &$$)); }
    | expression '+' expression { $$ = $1; DO(ptx_binary(b, '+', &$$, $3)); }
    | expression '-' expression { $$ = $1; DO(ptx_binary(b, '-', &$$, $3)); }
    | expression '*' expression { $$ = $1; DO(ptx_binary(b, '*', &$$, $3)); }
    | expression '/' expression { $$ = $1; DO(ptx_binary(b, '/', &$$, $3)); }
    | expression '%' expression { $$ = $1; DO(ptx_binary(b, '%', &$$, $3)); }
    | expression '&' expression { $$ = $1; DO(ptx_binary(b, '&', &$$, $3)); }
    | expression '|' expression { $$ = $1; DO(ptx_binary(b, '|', &$$, $3)); }
    | expression '^' expression { $$ = $1; DO(ptx_binary(b, '^', &$$, $3)); }
    | expression T_LEFT expression { $$ = $1; DO(ptx_binary(b, PTX_SHIFT_LEFT, &$$, $3)); }
    | expression T_RIGHT expression { $$ = $1; DO(ptx_binary(b, PTX_SHIFT_RIGHT, &$$, $3)); }
    ;

%%

static struct ptx_term *new_term(struct ptx_build *b, int kind, const char *name)
{
    struct ptx_term *const term = ptx_alloc(b->arena, sizeof *term);

    term->kind = kind;
    term->name = name;
    return term;
}

static struct ptx_term *append(struct ptx_term *last, struct ptx_term *term)
{
    last->next = term;
    return term;
}

static bool is_generic(struct ptx_build *b, struct ptx_token name)
{
    return strcmp(name.text, "generic") == 0
           || ptx_fail(b, name.line, "%.60s(...) in a first value; allowed: generic(...)", name.text);
}

/* What else but syntax: the parser's stack is full. */
static void ptx_error(void *scanner, struct ptx_build *b, const char *what)
{
    (void)scanner;
    ptx_fail(b, b->line, "%s at %s; allowed: less nesting", what, b->token);
}

static int yyreport_syntax_error(const yypcontext_t *context, void *scanner, struct ptx_build *b)
{
    enum { MOST = 8 };
    yysymbol_kind_t expected[MOST];
    char text[256] = "";
    const int count = yypcontext_expected_tokens(context, expected, MOST);

    (void)scanner;
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", i == 0 ? "" : ", ",
                 yysymbol_name(expected[i]));
    }
    const bool end = yypcontext_token(context) == YYSYMBOL_YYEOF;
    ptx_fail(b, b->line, "unexpected %s%s%s; allowed: %s", end ? "" : "\"", end ? "end of the file" : b->token,
             end ? "" : "\"", count > 0 ? text : "a declaration, a label or an instruction");
    return 0;
}
