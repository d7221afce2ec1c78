// claso_ghost - what CLASO's words of a slot say about the credits of some cores; for proofs, of CLASO and of what it is a
// part of.
//
// Ports: local_i, some_i, above_i, layers_i, loose_i, global_i and funds_i are the words, core 0 or pool 0 lowest. The
// group is the cores members_i, which share the global credits of pool pool_i. Of them cores_i were given credits:
// local_new_i each, of which in_band_i are in the band.
//   credits_o     C_p of each core, W bits each, as it is if the core is one of the group
//   global_o, band_o  C_g, and p_A + p_L
//   flags_o       the flags of the group are as its credits are
//   share_o       a core has at most what it was given, others have nothing
//   left_o        the credits of the group
//   free_o        those of them that need no global one
//   used_o        of the cores given, how many credits are gone; band_used_o, those of them in the band

`default_nettype none

module claso_ghost #(
    parameter integer N_CORE   = 15,
    parameter integer N_POOL   = 1,
    parameter integer LOCAL_W  = 20,
    parameter integer LEVEL_W  = 4,
    parameter integer GLOBAL_W = 8,
    parameter integer POOL_W   = (N_POOL > 1) ? $clog2(N_POOL) : 1,
    parameter integer W        = LOCAL_W + 8
) (
    input  wire [N_CORE*LOCAL_W-1:0]  local_i,
    input  wire [N_CORE-1:0]          some_i,
    input  wire [N_CORE-1:0]          above_i,
    input  wire [N_POOL*LEVEL_W-1:0]  layers_i,
    input  wire [N_POOL*LEVEL_W-1:0]  loose_i,
    input  wire [N_POOL*GLOBAL_W-1:0] global_i,
    input  wire [N_POOL-1:0]          funds_i,
    input  wire [POOL_W-1:0]          pool_i,
    input  wire [N_CORE-1:0]          members_i,
    input  wire [N_CORE-1:0]          cores_i,
    input  wire [W-1:0]               local_new_i,
    input  wire [W-1:0]               in_band_i,
    output reg  [N_CORE*W-1:0]        credits_o,
    output wire [W-1:0]               global_o,
    output wire [W-1:0]               band_o,
    output reg                        flags_o,
    output reg                        share_o,
    output reg  [W-1:0]               left_o,
    output reg  [W-1:0]               free_o,
    output reg  [W-1:0]               used_o,
    output reg  [W-1:0]               band_used_o
);

    wire [W-1:0] layers = layers_i[pool_i*LEVEL_W +: LEVEL_W];
    wire [W-1:0] loose  = loose_i[pool_i*LEVEL_W +: LEVEL_W];
    assign global_o = global_i[pool_i*GLOBAL_W +: GLOBAL_W];
    assign band_o   = layers + 1 + loose;

    // C_p - p_L - 1 is kept, whole if it is above the band; in the band its lowest bits.
    reg [W-1:0] kept;
    reg [W-1:0] credit;
    integer     k;
    always @* begin : p_look
        flags_o     = funds_i[pool_i] == (global_o != 0);
        share_o     = 1'b1;
        left_o      = 0;
        free_o      = 0;
        used_o      = 0;
        band_used_o = 0;
        kept        = 0;
        credit      = 0;
        for (k = 0; k < N_CORE; k = k + 1) begin
            kept   = local_i[k*LOCAL_W +: LOCAL_W] + loose + 1;
            credit = !some_i[k] ? 0 : above_i[k] ? kept : kept[LOCAL_W-1:0];
            credits_o[k*W +: W] = credit;
            if (members_i[k]) begin
                if (some_i[k] != (credit != 0) || above_i[k] != (credit > band_o)) flags_o = 1'b0;
                if (credit > (cores_i[k] ? local_new_i : 0)) share_o = 1'b0;
                left_o = left_o + credit;
                if (credit > band_o) free_o = free_o + credit - band_o;
                if (cores_i[k]) begin
                    used_o = used_o + local_new_i - credit;
                    if (credit < in_band_i) band_used_o = band_used_o + in_band_i - credit;
                end
            end
        end
    end

endmodule

`default_nettype wire
