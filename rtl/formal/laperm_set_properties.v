// laperm_set_properties - what is proved of a set of queues, without a bound by induction, for the sizes in
// tb/units/laperm_set.
//
// Ports: registers and nets of the set, under their names. f_mark picks any entry that is taken: it is followed to its
// place among the others, and until its last thread block is drawn. Assertions are a_, covers c_, other proof-only names f_.

`default_nettype none

module laperm_set_properties #(
    parameter integer N_ENTRY   = 128,
    parameter integer N_LEVEL   = 4,
    parameter integer PAYLOAD_W = 64,
    parameter integer N_KERNEL  = 32,
    parameter integer TB_W      = 20,
    parameter integer STAMP_W   = 24,
    parameter integer LEVEL_W   = (N_LEVEL > 1) ? $clog2(N_LEVEL) : 1,
    parameter integer KERNEL_W  = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1,
    parameter integer PLACE_W   = (N_ENTRY > 1) ? $clog2(N_ENTRY) : 1,
    parameter integer COUNT_W   = $clog2(N_ENTRY + 1),
    parameter integer ENTRY_W   = PAYLOAD_W + KERNEL_W + 2 * TB_W + STAMP_W
) (
    input wire clk, rst_i, insert_back_i, draw_i, offer_o, last_o, some_o,
    input wire [LEVEL_W-1:0]   new_level,
    input wire [PAYLOAD_W-1:0] insert_payload_i,
    input wire [KERNEL_W-1:0]  insert_kernel_i,
    input wire [TB_W-1:0]      insert_tbs_i, tb_q,
    input wire [STAMP_W-1:0]   insert_stamp_i,
    // Registers.
    input wire [1:0]           state_q,
    input wire [LEVEL_W-1:0]   new_level_q, level_q,
    input wire [COUNT_W-1:0]   ahead_q, left_q, chip_q,
    input wire [PLACE_W-1:0]   from_q, hole_q, front_q, tail_q,
    input wire moving_q, loading_q, here_q, asked_q, fresh_q,
    input wire [N_LEVEL-1:0] in_memory_q, f_spilled,
    input wire [N_LEVEL*COUNT_W-1:0] f_fill,
    // Entries, and what happens in this cycle.
    input wire [ENTRY_W-1:0] first, newcomer, fetched,
    input wire [N_ENTRY*ENTRY_W-1:0] f_array,
    input wire takes, gone, drawn, enters, appends, prepends, settles, loads, steps
);

    localparam [1:0] IDLE = 2'd0, START = 2'd1, MOVE = 2'd2, CLOSE = 2'd3;
    localparam integer W = COUNT_W + 3;  // of sums of counts and places

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;
    always @* if (!f_started) assume (rst_i);

    // ---- The array: sections, and the hole ----------------------------------

    wire f_start = state_q == START;
    wire f_move  = state_q == MOVE;
    wire f_close = state_q == CLOSE;
    wire f_hole  = f_move || f_close;
    wire f_head  = here_q || loading_q;

    // Entries in the array of this level and lower ones.
    function [W-1:0] f_upto(input [LEVEL_W-1:0] of);
        f_upto = (f_fill >> (of * COUNT_W)) & ((1 << COUNT_W) - 1);
    endfunction
    function [W-1:0] f_below(input [LEVEL_W-1:0] of);
        f_below = of == 0 ? 0 : f_upto(of - 1'b1);
    endfunction
    wire [W-1:0] f_total = f_upto(N_LEVEL - 1);
    wire [W-1:0] f_stay  = (f_move ? ahead_q : 0) + left_q;  // entries before the hole, or what is read from there
    function [W-1:0] f_ring(input [W-1:0] sum);
        f_ring = sum % N_ENTRY;
    endfunction

    // Pointers grow from the lowest level to the highest.
    reg f_grows;
    integer f_k;
    always @* begin
        f_grows = 1'b1;
        for (f_k = 1; f_k < N_LEVEL; f_k = f_k + 1)
            if (f_upto(f_k) < f_upto(f_k - 1)) f_grows = 1'b0;
    end

    // ---- One entry ----------------------------------------------------------

    (* anyseq *) reg f_mark;
    reg               f_new;      // it is the newcomer
    reg               f_there;    // it has its place
    reg [ENTRY_W-1:0] f_entry;    // it, with its next thread block
    reg [LEVEL_W-1:0] f_of;       // its level
    reg [W-1:0]       f_before;   // entries before it
    reg [TB_W-1:0]    f_drawn;    // thread blocks drawn

    wire f_visible = enters || appends || prepends || settles;
    wire f_stays   = (here_q && !gone) || loading_q;  // a head, before a newcomer
    wire f_mine    = drawn && f_there && f_before == 0;

    localparam integer TB_AT = TB_W + STAMP_W;  // where the next thread block is in an entry
    wire [ENTRY_W-1:0] f_advanced = {f_entry[ENTRY_W-1:TB_AT+TB_W], f_entry[TB_AT +: TB_W] + 1'b1, f_entry[TB_AT-1:0]};

    always @(posedge clk) begin
        if (rst_i) begin
            f_new   <= 1'b0;
            f_there <= 1'b0;
        end else if (f_new) begin
            if (f_visible) begin
                f_new    <= 1'b0;
                f_there  <= 1'b1;
                f_before <= enters ? 0 : f_stays + (appends ? f_total : prepends ? 0 : ahead_q);
            end
        end else if (f_there) begin
            f_there  <= !(f_mine && last_o);
            f_before <= f_before - gone + (f_visible && new_level_q > f_of);
            if (f_mine) f_entry <= f_advanced;
            if (f_mine) f_drawn <= f_drawn + 1'b1;
        end else if (f_mark && takes) begin
            f_new   <= 1'b1;
            f_entry <= {insert_payload_i, insert_kernel_i, {TB_W{1'b0}}, insert_tbs_i, insert_stamp_i};
            f_of    <= new_level;
            f_drawn <= 0;
        end
    end

    // Where it is: the head, what has been read, or a place of the array.
    wire               f_first = f_there && f_before == 0 && f_head;
    wire [W-1:0]       f_index = f_before - f_head;
    wire               f_read  = f_hole && moving_q && f_index == f_stay;
    wire [W-1:0]       f_place = f_ring(front_q + f_index + (f_hole && f_index >= f_stay));
    wire [ENTRY_W-1:0] f_kept  = f_array >> (f_place * ENTRY_W);

    // ---- Assertions ---------------------------------------------------------

    always @(posedge clk) begin
        if (f_started) begin
            a_one     : assert (!(here_q && loading_q) && !(moving_q && loading_q) && (!moving_q || f_hole));
            a_memory  : assert (in_memory_q == f_spilled);
            a_levels  : assert (level_q < N_LEVEL && new_level_q < N_LEVEL);
            a_fill    : assert (f_grows && f_total < N_ENTRY + (N_ENTRY == 1 && f_total == 0));
            a_chip    : assert (chip_q <= N_ENTRY && chip_q == f_total + f_head + (f_start || f_move) + asked_q);
            a_places  : assert (front_q < N_ENTRY && tail_q < N_ENTRY && tail_q == f_ring(front_q + f_total + f_hole));
            if (f_hole) begin
                a_hole : assert (hole_q == f_ring(front_q + f_stay + moving_q) && hole_q < N_ENTRY);
                a_from : assert (from_q < N_ENTRY && f_ring(from_q + 1'b1) == f_ring(front_q + f_stay));
                a_left : assert (f_stay + moving_q <= f_total);
            end
            if (f_move) begin
                a_ahead  : assert (new_level_q != 0 && f_below(new_level_q) + ahead_q == f_total);
                a_higher : assert (!f_head || level_q >= new_level_q);
            end
            if (f_close)
                a_closed : assert (ahead_q == 0);

            // No entry on chip has a higher level than the head.
            a_order  : assert (!f_head || f_upto(level_q) == f_total);

            // The entry is where it should be, among those of its level, and has as many thread blocks left.
            a_where   : assert (!(f_new && f_there) && (!f_new || f_start || f_move));
            if (f_new)
                a_new : assert (newcomer == f_entry && new_level_q == f_of && f_drawn == 0);
            if (f_there)
                a_next : assert (f_entry[TB_AT +: TB_W] == f_drawn);
            if (f_first) begin
                a_first   : assert ((here_q ? first : fetched) == f_entry && level_q == f_of);
            end else if (f_there) begin
                a_kept    : assert ((f_read ? fetched : f_kept) == f_entry);
                a_section : assert (f_total - f_upto(f_of) <= f_index && f_index < f_total - f_below(f_of));
            end
            if (f_there || f_new)
                a_of : assert (f_of < N_LEVEL);

            // It is drawn one after the other, and gone with the last; nothing else is drawn in its name.
            if (f_mine)
                a_drawn : assert (offer_o && tb_q == f_drawn && last_o == (f_drawn + 1'b1 == f_entry[STAMP_W +: TB_W]));
            a_some : assert (!f_there || some_o);

            if (!rst_i) begin
                c_gone   : cover (f_mine && last_o);
                c_behind : cover (f_there && f_before != 0 || N_ENTRY == 1);
                c_close  : cover (f_close || N_ENTRY < 4 || N_LEVEL == 1);
            end
        end
    end

endmodule

`default_nettype wire
