// kdu_properties - what is proved of the kernel distributor unit, without a bound by induction, for the sizes in
// tb/units/kdu.
//
// Ports: registers, ports and nets of the unit, under their names. f_slot is any slot; beside it stands what is left of its
// thread blocks, counted from ports alone. Assertions are a_, covers c_, other proof-only names f_.

`default_nettype none

module kdu_properties #(
    parameter integer N_KERNEL = 32,
    parameter integer N_SM     = 13,
    parameter integer TAG_W    = 64,
    parameter integer TB_W     = 20,
    parameter integer ENDED_W  = 1,
    parameter integer KERNEL_W = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1,
    parameter integer ENDING_W = $clog2(N_SM * ((1 << ENDED_W) - 1) + 1)
) (
    input wire clk, rst_i, admit_valid_i, admit_ready_o, admit_error_o, group_valid_i, group_ready_o, answer_valid_o,
    input wire answer_hit_o, give_up_valid_i, gave_up_o,
    input wire [TAG_W-1:0]         admit_tag_i, group_tag_i,
    input wire [TB_W-1:0]          admit_tbs_i, group_tbs_i, give_up_tbs_i, group_tbs_q,
    input wire [KERNEL_W-1:0]      admit_kernel_o, answer_kernel_o, give_up_kernel_i,
    input wire [ENDED_W*N_SM-1:0]  ended_i,
    input wire [KERNEL_W*N_SM-1:0] ended_kernel_i,
    input wire [N_KERNEL-1:0]      resident_q, freed_q, group_slot_q,
    input wire [1:0]               group_state_q,
    input wire                     group_fits_q,
    input wire [TB_W*N_KERNEL-1:0] counts,
    input wire [TAG_W*N_KERNEL-1:0] f_tags,
    input wire [ENDING_W*N_KERNEL-1:0] f_endings
);

    localparam integer W = TB_W + ENDING_W + 2;
    localparam [W-1:0] MOST = (1 << TB_W) - 1;

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;
    always @* if (!f_started) assume (rst_i);

    (* anyconst *) reg [KERNEL_W-1:0] f_slot;
    always @* assume (f_slot < N_KERNEL);
    wire             f_resident = resident_q[f_slot];
    wire [TB_W-1:0]  f_count    = counts >> (f_slot * TB_W);
    wire [TAG_W-1:0] f_tag      = f_tags >> (f_slot * TAG_W);

    wire [ENDING_W-1:0] f_ending = f_endings >> (f_slot * ENDING_W);

    // Thread blocks of the slot that end in this cycle, and that ended in the last.
    reg [W-1:0] f_ends, f_ended;
    integer f_s;
    always @* begin
        f_ends = 0;
        for (f_s = 0; f_s < N_SM; f_s = f_s + 1)
            if (ended_kernel_i[f_s*KERNEL_W +: KERNEL_W] == f_slot) f_ends = f_ends + ended_i[f_s*ENDED_W +: ENDED_W];
    end

    // What is left of the slot's thread blocks: those of its kernel and of the groups that have joined it.
    reg  [W-1:0] f_left;
    wire         f_admits = admit_valid_i && admit_ready_o && admit_tbs_i != 0 && admit_kernel_o == f_slot;
    wire         f_joins  = answer_valid_o && answer_hit_o && answer_kernel_o == f_slot;
    wire [W-1:0] f_all    = f_left + (f_joins ? group_tbs_q : 0);
    wire [W-1:0] f_rest   = f_all > f_ended ? f_all - f_ended : 0;
    wire         f_gives  = give_up_valid_i && give_up_kernel_i == f_slot && f_left != 0 && f_left == give_up_tbs_i
                            && f_ended == 0 && !f_joins;
    always @(posedge clk) begin
        f_ended <= rst_i || f_left == 0 ? 0 : f_ends;
        if (rst_i) f_left <= 0;
        else if (f_left == 0) f_left <= f_admits ? admit_tbs_i : 0;
        else f_left <= f_gives ? 0 : f_rest;
    end

    // The group that was taken last.
    reg [TAG_W-1:0] f_group;
    reg [TB_W-1:0]  f_group_tbs;
    reg             f_had;  // the slot was in use then, with this tag
    always @(posedge clk) if (group_valid_i && group_ready_o) begin
        f_group     <= group_tag_i;
        f_group_tbs <= group_tbs_i;
        f_had       <= f_resident && f_tag == group_tag_i;
    end
    wire f_found = group_slot_q[f_slot];

    always @(posedge clk) begin
        if (f_started) begin
            // An entry is in use if and only if some of its thread blocks have not ended; no count passes 0 or the most.
            a_resident : assert (f_resident == (f_count != 0));
            a_count    : assert (f_count == f_left && f_left <= MOST);
            a_ending   : assert (f_ending == f_ended);
            if ($past(rst_i) || !$past(f_resident)) begin
                a_freed : assert (!freed_q[f_slot]);
            end else begin
                a_ended : assert (freed_q[f_slot] == $past(!f_gives && f_rest == 0));
                a_kept  : assert (f_resident || freed_q[f_slot] || gave_up_o);
                a_gives : assert (!$past(f_gives) || (gave_up_o && !f_resident));
            end

            // A slot is given to one kernel: the lowest that is free.
            a_given : assert (admit_ready_o ? !resident_q[admit_kernel_o] && (f_resident || f_slot >= admit_kernel_o) : &resident_q);
            if ($past(!rst_i && f_resident))
                a_tag : assert ($stable(f_tag));
            if ($past(!rst_i && f_admits))
                a_admitted : assert (f_resident && f_tag == $past(admit_tag_i) && f_count == $past(admit_tbs_i));
            a_error : assert (admit_error_o == $past(!rst_i && admit_valid_i && admit_ready_o && admit_tbs_i == 0));

            // A group joins an entry in use of its own tag, the lowest that it had found.
            a_state : assert (group_state_q < 3 && (group_slot_q & (group_slot_q - 1'b1)) == 0);
            a_fits_in : assert (!group_fits_q || group_state_q == 2);
            if (group_state_q != 0) begin
                a_group : assert (group_tbs_q == f_group_tbs);
                a_found : assert (!(f_found && f_resident && (group_state_q == 1 || group_fits_q)) || f_tag == f_group);
            end
            if (group_state_q == 1)
                a_lowest : assert ((!f_found || f_had) && (!f_had || (group_slot_q != 0 && group_slot_q <= 1 << f_slot)));
            if (group_state_q == 2 && group_fits_q && f_found && f_resident)
                a_fits : assert (f_count + group_tbs_q <= MOST && group_tbs_q != 0);
            if (answer_valid_o && answer_hit_o && answer_kernel_o == f_slot)
                a_hit : assert (f_resident && f_tag == f_group && f_group_tbs != 0);
            if (group_state_q == 2 && f_found && f_resident && group_fits_q)
                a_answer : assert (answer_hit_o && answer_kernel_o == f_slot);
            if ($past(!rst_i && f_joins))
                a_joined : assert (f_resident && !freed_q[f_slot] || $past(f_ended) > $past(f_left));

            if (!rst_i) begin
                c_rescued : cover (f_joins && f_ended == f_left || TB_W == 1);
                c_freed   : cover (freed_q[f_slot]);
                c_gave_up : cover (gave_up_o);
                c_late    : cover (group_state_q == 2 && f_found && !f_resident);
                c_full    : cover (!admit_ready_o);
            end
        end
    end

endmodule

`default_nettype wire
