// claso_pay - what a CTA costs a core of CLASO, and what is then left.
//
// Purpose
//   A local credit of the core; and if it has none above the band, a global one of its pool. What
//   is left is found of any core asked, without knowing whether it has enough.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_CORE           cores, 1..192
//   N_POOL           pools, 1..64
//   LOCAL_W          bits of a core's local credits as they are kept, 2..32, more than LEVEL_W
//   LEVEL_W          bits of p_A and of p_L, 1..8
//   GLOBAL_W         bits of global credits, 1..16
//   CORE_W           bits of a core's number; derived, never overridden
//
// Ports              width        meaning
//   core_i           CORE_W       the core's number
//   line_i           N_CORE       the core alone; none if there is no such core
//   split_i          1            each pool has global credits of its own; otherwise pool 0 for all
//   pays_i           1            the core has no credit above the band
//   local_i          N_CORE*LOCAL_W  C_p - p_L - 1 of each core
//   layers_i         N_POOL*LEVEL_W  p_A - 1 of each pool
//   loose_i          N_POOL*LEVEL_W  p_L of each pool
//   global_i         N_POOL*GLOBAL_W  C_g of each pool
//   payer_o          N_POOL       the pool that pays
//   local_o          LOCAL_W      local_i of the core, less one
//   last_o           1            its last credit goes
//   last_above_o     1            its last credit above the band goes, if it has one
//   global_o         GLOBAL_W     C_g of the pool, less one
//   last_global_o    1            the pool's last credit goes
//
// Timing
//   Combinational.

`default_nettype none

module claso_pay #(
    parameter integer N_CORE   = 15,
    parameter integer N_POOL   = 1,
    parameter integer LOCAL_W  = 20,
    parameter integer LEVEL_W  = 4,
    parameter integer GLOBAL_W = 8,
    parameter integer CORE_W   = (N_CORE > 1) ? $clog2(N_CORE) : 1
) (
    input  wire [CORE_W-1:0]          core_i,
    input  wire [N_CORE-1:0]          line_i,
    input  wire                       split_i,
    input  wire                       pays_i,
    input  wire [N_CORE*LOCAL_W-1:0]  local_i,
    input  wire [N_POOL*LEVEL_W-1:0]  layers_i,
    input  wire [N_POOL*LEVEL_W-1:0]  loose_i,
    input  wire [N_POOL*GLOBAL_W-1:0] global_i,
    output reg  [N_POOL-1:0]          payer_o,
    output wire [LOCAL_W-1:0]         local_o,
    output wire                       last_o,
    output wire                       last_above_o,
    output wire [GLOBAL_W-1:0]        global_o,
    output wire                       last_global_o
);

    generate
        if (N_CORE < 1 || N_CORE > 192 || N_POOL < 1 || N_POOL > 64 || LEVEL_W < 1 || LEVEL_W > 8
            || LOCAL_W <= LEVEL_W || LOCAL_W > 32 || GLOBAL_W < 1 || GLOBAL_W > 16
            || CORE_W != ((N_CORE > 1) ? $clog2(N_CORE) : 1)) begin : g_check
            claso_pay_needs_N_CORE_1_to_192_N_POOL_1_to_64_LEVEL_W_1_to_8_below_LOCAL_W_to_32
                u_stop ();
        end
    endgenerate

    localparam integer        POOL_CORE = (N_CORE + N_POOL - 1) / N_POOL;  // cores of a pool
    localparam [N_POOL-1:0]   POOL_0    = 1;
    localparam [LOCAL_W-1:0]  LOCAL_1   = 1;
    localparam [LEVEL_W:0]    BAND_1    = 1;
    localparam [GLOBAL_W-1:0] GLOBAL_1  = 1;

    // The counter of the core, and its pool's.
    wire [LOCAL_W-1:0]  has;
    wire [LEVEL_W-1:0]  layers;
    wire [LEVEL_W-1:0]  loose;
    wire [GLOBAL_W-1:0] payer_has;
    integer             c;

    always @* begin : p_payer
        payer_o = {N_POOL{1'b0}};
        for (c = 0; c < N_CORE; c = c + 1)
            if (line_i[c]) payer_o[c/POOL_CORE] = 1'b1;
        if (!split_i) payer_o = POOL_0;
    end

    select_word #(.N(N_CORE), .W(LOCAL_W)) u_has (
        .words_i  (local_i),
        .number_i (core_i),
        .word_o   (has)
    );
    select_line #(.N(N_POOL), .W(LEVEL_W)) u_layers (
        .words_i (layers_i),
        .line_i  (payer_o),
        .word_o  (layers)
    );
    select_line #(.N(N_POOL), .W(LEVEL_W)) u_loose (
        .words_i (loose_i),
        .line_i  (payer_o),
        .word_o  (loose)
    );
    select_line #(.N(N_POOL), .W(GLOBAL_W)) u_payer_has (
        .words_i (global_i),
        .line_i  (payer_o),
        .word_o  (payer_has)
    );

    // C_p - p_L - 1 is -p_L with the last credit, and p_A with the last one above the band. In the
    // band the lowest bits tell: it has p_A + p_L credits.
    wire [LOCAL_W-1:0] upto;  // bit k: one of the lowest k + 1 is set, which pays

    prefix_or #(.N(LOCAL_W)) u_less (.set_i(has), .upto_o(upto));

    assign local_o       = has ^ ~(upto << 1);
    assign last_o        = pays_i && has[LEVEL_W:0] == ~{1'b0, loose} + BAND_1;
    assign last_above_o  = has == {{(LOCAL_W-LEVEL_W){1'b0}}, layers} + LOCAL_1;
    assign global_o      = payer_has - GLOBAL_1;
    assign last_global_o = payer_has == GLOBAL_1;

    // ---- Formal ------------------------------------------------------------
    // Against credits C_p that are kept as the port says: f_credits of the core, with f_band = p_A + p_L.

`ifdef FORMAL
    localparam integer F_W = LOCAL_W + 10;
    (* anyconst *) reg [F_W-1:0] f_credits;
    wire [F_W-1:0] f_pool   = split_i ? core_i / POOL_CORE : 0;
    wire [F_W-1:0] f_layers = layers_i[f_pool*LEVEL_W +: LEVEL_W];
    wire [F_W-1:0] f_loose  = loose_i[f_pool*LEVEL_W +: LEVEL_W];
    wire [F_W-1:0] f_band   = f_layers + 1 + f_loose;
    wire [F_W-1:0] f_global = global_i[f_pool*GLOBAL_W +: GLOBAL_W];
    wire [F_W-1:0] f_kept   = f_credits - f_loose - 1;
    wire [F_W-1:0] f_left   = f_kept - 1;
    always @* begin
        assume (core_i < N_CORE && line_i == {{(N_CORE-1){1'b0}}, 1'b1} << core_i);
        assume (f_credits != 0 && f_credits - 1 <= {LOCAL_W{1'b1}} + f_loose);
        assume (local_i[core_i*LOCAL_W +: LOCAL_W] == f_kept[LOCAL_W-1:0] && pays_i == (f_credits <= f_band));
        a_payer : assert (payer_o == POOL_0 << f_pool);
        a_local : assert (local_o == f_left[LOCAL_W-1:0]);
        a_last  : assert (last_o == (f_credits == 1));
        if (!pays_i)
            a_last_above : assert (last_above_o == (f_credits == f_band + 1));
        if (f_global != 0)
            a_global : assert (global_o == f_global - 1 && last_global_o == (f_global == 1));
        c_last  : cover (last_o && f_loose != 0 && (N_POOL == 1 || f_pool != 0));
        c_above : cover (last_above_o && !pays_i && f_layers != 0);
    end
`endif

endmodule

`default_nettype wire
