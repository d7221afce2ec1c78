// laperm_properties - what is proved of LaPerm's scheduler, without a bound by induction, for the sizes in tb/units/laperm.
//
// Ports: nets and registers of the scheduler, under their names. Of queue 0 and the sets it sees outputs: what is proved
// of a set is in laperm_set_properties. Assertions are a_, covers c_, other proof-only names f_.

`default_nettype none

module laperm_properties #(
    parameter integer N_SM    = 13,
    parameter integer N_LEVEL = 4,
    parameter integer STAMP_W = 24,
    parameter integer SM_W    = (N_SM > 1) ? $clog2(N_SM) : 1,
    parameter integer LEVEL_W = $clog2(N_LEVEL + 1),
    parameter integer N_HEAD  = N_SM + 1,
    parameter integer N_GROUP = (N_SM + 6) / 6,
    parameter integer KEY_W   = LEVEL_W + STAMP_W,
    parameter integer HEAD_W  = $clog2(N_HEAD)
) (
    input wire clk, rst_i, dispatch_ready_i, spill_ready_i, ask_ready_i, launch_ready_o, launch_valid_i,
    input wire [N_SM-1:0] room_i, limit_i, credit_i,
    input wire [1:0] mode_q,
    // Queue 0 and the sets, queue 0 lowest.
    input wire [N_HEAD-1:0] offer, steady, here, last, draw, leads,
    input wire [N_HEAD*LEVEL_W-1:0] level,
    input wire [N_HEAD*STAMP_W-1:0] stamp,
    input wire [N_SM-1:0] some,
    input wire parents_some,
    // Registers.
    input wire [N_SM-1:0] turn_q, later_q, recorded_q, reserve_q,
    input wire [N_SM*SM_W-1:0] backups,
    input wire [N_GROUP-1:0] lead_any_q,
    input wire [N_HEAD-1:0] lead_line_q,
    input wire [N_GROUP*KEY_W-1:0] lead_key_q,
    input wire spill_valid_q, ask_valid_q, back_valid_q, going_q, last_q,
    input wire [SM_W-1:0] to_q, from_q, spill_sm_q, ask_sm_q, back_sm_q,
    input wire [LEVEL_W-1:0] level_q, spill_level_q, ask_level_q
);

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;
    always @* if (!f_started) assume (rst_i);

    localparam [N_SM-1:0] SM_0 = 1;

    // Any two heads, and any SM.
    (* anyconst *) reg [HEAD_W-1:0] f_one;
    (* anyconst *) reg [HEAD_W-1:0] f_two;
    (* anyconst *) reg [SM_W-1:0]   f_sm;
    always @* assume (f_one < N_HEAD && f_two < N_HEAD && f_sm < N_SM);

    wire [KEY_W-1:0] f_key_one = {mode_q == 0 ? {LEVEL_W{1'b1}} : ~f_level_one, f_stamp_one};
    wire [KEY_W-1:0] f_key_two = {mode_q == 0 ? {LEVEL_W{1'b1}} : ~f_level_two, f_stamp_two};
    wire [LEVEL_W-1:0] f_level_one = level >> (f_one * LEVEL_W);
    wire [LEVEL_W-1:0] f_level_two = level >> (f_two * LEVEL_W);
    wire [STAMP_W-1:0] f_stamp_one = stamp >> (f_one * STAMP_W);
    wire [STAMP_W-1:0] f_stamp_two = stamp >> (f_two * STAMP_W);
    wire               f_before    = f_key_one < f_key_two || (f_key_one == f_key_two && f_one <= f_two);

    wire [SM_W-1:0] f_backup = backups >> (f_sm * SM_W);

    // The backup of the SM that is visited.
    reg [N_SM-1:0] f_reserve;
    integer f_k;
    always @* begin
        f_reserve = {N_SM{1'b0}};
        for (f_k = 0; f_k < N_SM; f_k = f_k + 1)
            if (turn_q[f_k] && recorded_q[f_k]) f_reserve = SM_0 << backups[f_k*SM_W +: SM_W];
    end

    // How the dispatch that shows was picked, and what waited then.
    reg [1:0] f_mode;
    reg       f_of_parents, f_own_empty, f_parents_empty, f_room;
    always @(posedge clk) begin
        if (draw != 0) begin
            f_mode          <= mode_q;
            f_of_parents    <= draw[0];
            f_own_empty     <= (some & turn_q) == 0;
            f_parents_empty <= !parents_some;
        end
    end

    reg [N_SM-1:0] f_could;  // SMs that could take a thread block in the last cycle
    always @(posedge clk) f_could <= room_i & limit_i;
    reg [N_SM-1:0] f_credit;
    always @(posedge clk) f_credit <= credit_i;
    reg f_waits;             // the dispatch that shows was not taken in the last cycle
    always @(posedge clk) f_waits <= !rst_i && going_q && !dispatch_ready_i;

    always @(posedge clk) begin
        if (f_started) begin
            a_turn    : assert (turn_q != 0 && (turn_q & (turn_q - 1'b1)) == 0);
            a_later   : assert (later_q == ~(turn_q | (turn_q - 1'b1)));
            a_reserve : assert (reserve_q == f_reserve);
            a_one     : assert ((draw & (draw - 1'b1)) == 0);
            a_offered : assert ((draw & ~here) == 0);

            // RR and TB-Pri: the first head of each group, and of all.
            a_leads : assert ((leads != 0) == (lead_any_q != 0));
            // The three registers are functions of the heads, once these are steady.
            if (&steady) begin
                a_lead_any  : assert (!here[f_one] || lead_any_q[f_one/6]);
                a_lead_line : assert (!lead_line_q[f_one] || (here[f_one] && lead_any_q[f_one/6]
                                      && (f_one / 6 != f_two / 6 || !here[f_two] || f_before)));
                a_lead_key  : assert (!lead_line_q[f_one] || lead_key_q[(f_one/6)*KEY_W +: KEY_W] == f_key_one);
            end
            if (draw[f_one] && !mode_q[1] && here[f_two])
                a_first : assert (f_before);

            // Where a child goes.
            if (going_q && f_mode[1]) begin
                a_smx_bind : assert (f_mode[0] || f_of_parents || to_q == from_q);
                a_adaptive : assert (f_of_parents || to_q == from_q || (f_own_empty && f_parents_empty));
                a_parents  : assert (!f_of_parents || f_own_empty);
            end

            // The record.
            if ($past(!rst_i && recorded_q[f_sm] && ((some >> f_backup) & 1'b1)))
                a_kept : assert ($past(rst_i) || (recorded_q[f_sm] && f_backup == $past(f_backup)));
            if ($past(!rst_i && !recorded_q[f_sm]) && recorded_q[f_sm])
                a_recorded : assert ($past(turn_q[f_sm] && mode_q == 3 && !parents_some));

            // Nothing that shows is lost, and nothing is drawn meanwhile.
            if (f_waits)
                a_waits : assert (going_q && $stable({to_q, from_q, level_q, last_q, turn_q, recorded_q}));
            if (going_q && !dispatch_ready_i)
                a_holds : assert (draw == 0);
            if ($past(!rst_i && draw != 0))
                a_shows : assert (going_q && (((f_could >> to_q) & 1'b1) == 1));
            if ($past(!rst_i && draw[0]))
                a_credit : assert (((f_credit >> to_q) & 1'b1) == 1);
            if (going_q && !f_waits)
                a_drawn : assert ($past(draw != 0));
            if ($past(!rst_i && draw[f_one]))
                a_from  : assert (f_of_parents ? f_one == 0 : from_q + 1 == f_one);
            if ($past(!rst_i && spill_valid_q && !spill_ready_i))
                a_spill : assert (spill_valid_q && $stable({spill_sm_q, spill_level_q}));
            if ($past(!rst_i && ask_valid_q && !ask_ready_i))
                a_ask   : assert (ask_valid_q && $stable({ask_sm_q, ask_level_q}));

            if (!rst_i) begin
                c_stolen : cover (going_q && !f_of_parents && f_mode == 3 && (N_SM == 1 || to_q != from_q));
                c_parent : cover (going_q && f_of_parents && !f_mode[1]);
                c_back   : cover (back_valid_q);
                c_free   : cover (going_q && !f_waits && !f_of_parents && ((f_credit >> to_q) & 1'b1) == 0);
            end
        end
    end

endmodule

`default_nettype wire
