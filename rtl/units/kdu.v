// kdu - the kernel distributor unit: the table of resident kernels, and which of them a group of
// thread blocks joins.
//
// Purpose
//   Which kernels are resident, and until when.
//
//   admit_* ---> u_free -------------.
//                                    v
//   ended_* ---> sum, ending_q ---> count_q ---> resident_o, freed_o
//   give_up_* -----------------------^
//                                    |
//   group_* ---> match, group_slot_q ---> group_fits_q ---> answer_*
//                tag_q
//
// Parameters, outside of whose ranges it does not elaborate
//   N_KERNEL         entries: kernels that are resident, 1..128
//   N_SM             SMs, 1..32
//   TAG_W            bits of a configuration: entry function, block dimensions, dynamic shared memory, 1..64
//   TB_W             bits of a number of thread blocks, 1..32
//   ENDED_W          bits of a number of thread blocks that end on an SM in a cycle, 1..3
//   KERNEL_W         bits of a slot, an entry's number; derived, never overridden
//
// Ports              width        meaning
//   clk              1            clock, rising edge
//   rst_i            1            reset, synchronous, active high
//   admit_valid_i    1            a kernel wants an entry
//   admit_tag_i      TAG_W        its configuration
//   admit_tbs_i      TB_W         its thread blocks
//   admit_ready_o    1            it is taken in this cycle: an entry is free
//   admit_kernel_o   KERNEL_W     the slot that it gets, the lowest that is free; 0 without admit_ready
//   admit_error_o    1            the kernel taken in the last cycle was refused
//   group_valid_i    1            a group of thread blocks looks for a kernel
//   group_tag_i      TAG_W        of this configuration
//   group_tbs_i      TB_W         its thread blocks
//   group_ready_o    1            it is taken in this cycle
//   answer_valid_o   1            the answer to the group taken last
//   answer_hit_o     1            it joins a kernel; otherwise it is launched as a kernel; 0 without answer_valid
//   answer_kernel_o  KERNEL_W     the slot of this; 0 without answer_hit
//   ended_i          ENDED_W*N_SM thread blocks that end on each SM in this cycle
//   ended_kernel_i   KERNEL_W*N_SM their slot
//   give_up_valid_i  1            a kernel gives its entry up, if all its thread blocks that are left wait for
//                                 children
//   give_up_kernel_i KERNEL_W     its slot
//   give_up_tbs_i    TB_W         how many wait
//   gave_up_o        1            it did so in the last cycle
//   resident_o       N_KERNEL     bit k: slot k has a kernel
//   freed_o          N_KERNEL     bit k: the last thread block of slot k has ended, and the entry is free since the
//                                 last edge
//
// Paths
//   none: every output depends on state alone
//
// Timing
//   A kernel in each cycle, and a group in every third. A group is answered two cycles after it is taken. An entry is
//   free two cycles after its last thread block has ended, and in the cycle after it is given up.
//
// Contract
//   Entry      an entry is in use while thread blocks of its kernel, or of groups that have joined it, have not ended.
//              It is not held for kernels that they have launched.
//   Admission  a kernel gets the lowest free slot in the cycle in which it is taken.
//   Group      one at a time. In the cycle in which it is taken, t, its configuration is compared with those of all
//              entries in use; the lowest slot that has it is found. The answer comes in t + 2. The group joins if
//              that entry has been in use since, and its thread blocks can be counted: the count of the entry grows by
//              them. Otherwise the answer is a miss, and the group is launched as a kernel.
//   Ended      thread blocks that end in cycle t are taken off the count at the edge of t + 1, and with the last one
//              the entry is free in t + 2: freed. A group that joins at that edge counts first, so the entry stays.
//   Give up    an entry is free in the next cycle, gave_up and not freed, if its count is give_up_tbs. It stays if
//              thread blocks of it ended in the last cycle, or a group joins in this one: the count is about to
//              change. Whoever asks may ask again. Thread blocks that wait are not told to the unit any more when they
//              end.
//   Illegal    a kernel of no thread blocks is taken and refused: admit_error, and it gets no entry. A group of none
//              misses. Thread blocks that end of a free slot, or of slot n_kernel and up, are ignored. If more end
//              than there are the count is 0, and the entry is free. To give up a free slot, or one that there is not,
//              does nothing.
//
// Reset
//   All registers are 0: all entries are free. The memory keeps what it holds. Outputs do not depend on rst_i, and
//   nothing is taken while it is high.
//
// Twin     kdu.c: equal outputs, registers and memories in every cycle after the first
//          reset edge.
//
// Source
//   Wang and others, "LaPerm: Locality Aware Scheduler for Dynamic Parallelism on GPUs", ISCA 2016, II.B and II.C: 32
//   entries, and groups that are coalesced with a resident kernel of
// the same configuration.
//
// Deviations
//   - The source does not say what a group does that finds no kernel. Built: a miss, and it is launched as a kernel.
//   - The source does not say until when an entry is held. Built: until all thread blocks of the kernel and its groups
//     have ended; with children, nested launches would fill the table for good.
//   - The source does not speak of kernels of which only thread blocks are left that wait for their children. Built:
//     such a kernel may give its entry up.

`default_nettype none

module kdu #(
    parameter integer N_KERNEL = 32,
    parameter integer N_SM     = 13,
    parameter integer TAG_W    = 64,
    parameter integer TB_W     = 20,
    parameter integer ENDED_W  = 1,
    parameter integer KERNEL_W = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1,  // derived, never overridden
    parameter integer ENDING_W = $clog2(N_SM * ((1 << ENDED_W) - 1) + 1) // derived, never overridden
) (
    input  wire                     clk,
    input  wire                     rst_i,

    input  wire                     admit_valid_i,
    input  wire [TAG_W-1:0]         admit_tag_i,
    input  wire [TB_W-1:0]          admit_tbs_i,
    output wire                     admit_ready_o,
    output wire [KERNEL_W-1:0]      admit_kernel_o,
    output wire                     admit_error_o,

    input  wire                     group_valid_i,
    input  wire [TAG_W-1:0]         group_tag_i,
    input  wire [TB_W-1:0]          group_tbs_i,
    output wire                     group_ready_o,
    output wire                     answer_valid_o,
    output wire                     answer_hit_o,
    output wire [KERNEL_W-1:0]      answer_kernel_o,

    input  wire [ENDED_W*N_SM-1:0]  ended_i,
    input  wire [KERNEL_W*N_SM-1:0] ended_kernel_i,
    input  wire                     give_up_valid_i,
    input  wire [KERNEL_W-1:0]      give_up_kernel_i,
    input  wire [TB_W-1:0]          give_up_tbs_i,
    output wire                     gave_up_o,
    output wire [N_KERNEL-1:0]      resident_o,
    output wire [N_KERNEL-1:0]      freed_o
);

    // A bad value instantiates a module that does not exist; its name is the message.
    generate
        if (N_KERNEL < 1 || N_KERNEL > 128 || N_SM < 1 || N_SM > 32 || TAG_W < 1 || TAG_W > 64 || TB_W < 1 || TB_W > 32
            || ENDED_W < 1 || ENDED_W > 3 || KERNEL_W != ((N_KERNEL > 1) ? $clog2(N_KERNEL) : 1)
            || ENDING_W != $clog2(N_SM * ((1 << ENDED_W) - 1) + 1)) begin : g_check
            kdu_needs_N_KERNEL_1_to_128_N_SM_TB_W_1_to_32_TAG_W_1_to_64_ENDED_W_1_to_3 u_stop ();
        end
    endgenerate

    localparam [1:0] IDLE = 2'd0, FIT = 2'd1, JOIN = 2'd2;
    localparam integer LEFT_W = ((TB_W > ENDING_W) ? TB_W : ENDING_W) + 2;  // of a count, or less than 0

    // ---- State -------------------------------------------------------------

    (* mem2reg *)                          // registers, of which all are read, as the next two
    reg  [TB_W-1:0]     count_q [0:N_KERNEL-1];
    (* mem2reg *)
    reg  [ENDING_W-1:0] ending_q [0:N_KERNEL-1];
    (* mem2reg *)
    reg  [TAG_W-1:0]    tag_q [0:N_KERNEL-1];
    reg  [N_KERNEL-1:0] resident_q;        // a derived register
    reg                 admit_error_q;
    reg  [1:0]          group_state_q;
    reg  [TB_W-1:0]     group_tbs_q;
    reg  [N_KERNEL-1:0] group_slot_q;
    reg                 group_fits_q;
    reg                 gave_up_q;
    reg  [N_KERNEL-1:0] freed_q;

    wire [TB_W*N_KERNEL-1:0] counts;

    // ---- Admission: the lowest free slot -----------------------------------

    wire [N_KERNEL-1:0] free_line;
    wire                any_free;
    wire                taken  = admit_valid_i && any_free;
    wire                admits = taken && admit_tbs_i != {TB_W{1'b0}};

    pick_first #(.N(N_KERNEL)) u_free (
        .set_i  (~resident_q),
        .line_o (free_line),
        .any_o  (any_free)
    );
    line_number #(.N(N_KERNEL)) u_admit (
        .line_i   (free_line),
        .number_o (admit_kernel_o)
    );

    // ---- A group: search, count, join --------------------------------------

    wire [N_KERNEL-1:0] match, match_line;
    wire                unused_any;
    wire [TB_W-1:0]     match_count;
    wire [TB_W:0]       grown = {1'b0, match_count} + {1'b0, group_tbs_q};
    wire [N_KERNEL-1:0] still = group_slot_q & resident_q;  // the slot that was found, if it is still in use
    wire [N_KERNEL-1:0] joins = still & {N_KERNEL{group_fits_q}};

    genvar k, s;
    generate
        for (k = 0; k < N_KERNEL; k = k + 1) begin : g_match
            assign match[k] = resident_q[k] && tag_q[k] == group_tag_i;
        end
    endgenerate
    pick_first #(.N(N_KERNEL)) u_match (
        .set_i  (match),
        .line_o (match_line),
        .any_o  (unused_any)
    );
    select_line #(.N(N_KERNEL), .W(TB_W)) u_count (
        .words_i (counts),
        .line_i  (group_slot_q),
        .word_o  (match_count)
    );
    line_number #(.N(N_KERNEL)) u_answer (
        .line_i   (joins),
        .number_o (answer_kernel_o)
    );

    always @(posedge clk) begin : p_group
        if (rst_i) begin
            group_state_q <= IDLE;
            group_tbs_q   <= {TB_W{1'b0}};
            group_slot_q  <= {N_KERNEL{1'b0}};
            group_fits_q  <= 1'b0;
        end else begin
            case (group_state_q)
            IDLE:
                if (group_valid_i) begin
                    group_state_q <= FIT;
                    group_tbs_q   <= group_tbs_i;
                    group_slot_q  <= match_line;
                end
            FIT: begin
                group_state_q <= JOIN;
                group_fits_q  <= |still && !grown[TB_W] && group_tbs_q != {TB_W{1'b0}};
            end
            default: begin
                group_state_q <= IDLE;
                group_fits_q  <= 1'b0;
            end
            endcase
        end
    end

    // ---- Each slot ---------------------------------------------------------

    wire [N_KERNEL-1:0] gives_up;
    generate
        for (k = 0; k < N_KERNEL; k = k + 1) begin : g_slot
            localparam [31:0] SLOT = k;

            // Thread blocks that end on all SMs in this cycle, added in a tree.
            wire [ENDED_W*N_SM-1:0] mine;
            reg  [ENDING_W*N_SM-1:0] sum;
            for (s = 0; s < N_SM; s = s + 1) begin : g_sm
                assign mine[ENDED_W*s +: ENDED_W] = ended_i[ENDED_W*s +: ENDED_W]
                    & {ENDED_W{ended_kernel_i[KERNEL_W*s +: KERNEL_W] == SLOT[KERNEL_W-1:0]}};
            end
            integer place, reach;
            always @* begin : p_sum
                sum = {ENDING_W*N_SM{1'b0}};
                for (place = 0; place < N_SM; place = place + 1)
                    sum[place*ENDING_W +: ENDED_W] = mine[place*ENDED_W +: ENDED_W];
                for (reach = 1; reach < N_SM; reach = 2 * reach)
                    for (place = 0; place + reach < N_SM; place = place + 2 * reach)
                        sum[place*ENDING_W +: ENDING_W] = sum[place*ENDING_W +: ENDING_W]
                                                          + sum[(place+reach)*ENDING_W +: ENDING_W];
            end

            // What is left after those of the last cycle; less than 0 is 0.
            wire [LEFT_W-1:0] left = {{(LEFT_W-TB_W){1'b0}}, count_q[k]}
                + {{(LEFT_W-TB_W){1'b0}}, group_tbs_q & {TB_W{joins[k]}}}
                - {{(LEFT_W-ENDING_W){1'b0}}, ending_q[k]};
            wire over  = left[LEFT_W-1];
            wire empty = over || left[TB_W-1:0] == {TB_W{1'b0}};
            wire mine_admits = admits && free_line[k];

            assign gives_up[k] = give_up_valid_i && give_up_kernel_i == SLOT[KERNEL_W-1:0] && resident_q[k] && !joins[k]
                && ending_q[k] == {ENDING_W{1'b0}} && count_q[k] == give_up_tbs_i;

            always @(posedge clk) begin
                if (rst_i) begin
                    count_q[k]    <= {TB_W{1'b0}};
                    ending_q[k]   <= {ENDING_W{1'b0}};
                    resident_q[k] <= 1'b0;
                    freed_q[k]    <= 1'b0;
                end else begin
                    count_q[k]    <= mine_admits ? admit_tbs_i : left[TB_W-1:0] & {TB_W{!over && !gives_up[k]}};
                    ending_q[k]   <= sum[ENDING_W-1:0] & {ENDING_W{resident_q[k]}};
                    resident_q[k] <= mine_admits || (resident_q[k] && !empty && !gives_up[k]);
                    freed_q[k]    <= resident_q[k] && empty;
                    if (mine_admits) tag_q[k] <= admit_tag_i;
                end
            end

            assign counts[k*TB_W +: TB_W] = count_q[k];
        end
    endgenerate

    always @(posedge clk) begin : p_flags
        admit_error_q <= !rst_i && taken && !admits;
        gave_up_q     <= !rst_i && |gives_up;
    end

    // ---- Outputs -----------------------------------------------------------

    assign admit_ready_o  = any_free;
    assign admit_error_o  = admit_error_q;
    assign group_ready_o  = group_state_q == IDLE;
    assign answer_valid_o = group_state_q == JOIN;
    assign answer_hit_o   = |joins;
    assign gave_up_o      = gave_up_q;
    assign resident_o     = resident_q;
    assign freed_o        = freed_q;

    // ---- Formal ------------------------------------------------------------
    // Its properties, proved by induction, are in rtl/formal/kdu_properties.v.

`ifdef FORMAL
    wire [TAG_W*N_KERNEL-1:0]    f_tags;
    wire [ENDING_W*N_KERNEL-1:0] f_endings;
    generate
        for (k = 0; k < N_KERNEL; k = k + 1) begin : g_f_slot
            assign f_tags[k*TAG_W +: TAG_W]          = tag_q[k];
            assign f_endings[k*ENDING_W +: ENDING_W] = ending_q[k];
        end
    endgenerate
    kdu_properties #(.N_KERNEL(N_KERNEL), .N_SM(N_SM), .TAG_W(TAG_W), .TB_W(TB_W), .ENDED_W(ENDED_W)) f_properties (.*);
`endif

endmodule

`default_nettype wire
