// sm_counter - what one SM has done, counted: cycles of its warp schedulers by class,
// instructions issued, CTAs started and ended.
//
// Purpose
//   Limiters of CTAs decide by how an SM spends its cycles. In each cycle the SM says of each
//   scheduler which class its cycle is of. Each class has a count, and so have instructions
//   and CTAs; each count has one adder.
//
//                   N_SCHEDULER classes              seven of them
//                                              .- clear_i -.
//   cycle_i ---> (= class) ---> schedulers --->|           |---> cycles_q ---> cycles_o
//                                              '--> (+) ---'        |
//                                                    ^--------------'
//   issued_i, started_i, ended_i --->      likewise       ---> instructions_q, starts_q, ends_q
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SCHEDULER    warp schedulers of the SM, 1..4
//   COUNT_W        bits of a count, 1..32
//   ISSUE_W        bits of a number of instructions, two a scheduler; derived, never overridden
//
// Ports            width        meaning
//   clk            1            clock, rising edge
//   rst_i          1            reset, synchronous, active high
//   cycle_i        3*N_SCHEDULER what each scheduler does in this cycle: 0 nothing that counts; 1 to 7 as in cycles
//   issued_i       ISSUE_W      warp instructions issued in this cycle
//   started_i      3            CTAs that start on the SM in this cycle
//   ended_i        3            CTAs that end on it
//   clear_i        1            the counts begin again, with what is counted in this cycle
//   cycles_o       COUNT_W*7    cycles of all schedulers: active, idle, scoreboard stall ALU and memory, pipeline
//                               stall ALU and memory, paused
//   instructions_o COUNT_W      warp instructions issued
//   starts_o       COUNT_W      CTAs started
//   ends_o         COUNT_W      CTAs ended
//
// Paths
//   none: every output depends on state alone
//
// Timing
//   What happens in a cycle is in the counts of the next one. Every cycle is counted.
//
// Contract
//   Count      in each cycle cycles[c - 1] grows by the number of schedulers whose cycle is c, for c from 1 to 7, and
//              the other counts by issued, started and ended. A scheduler whose cycle is 0 counts nowhere.
//   Classes    1 active, 2 idle, 3 scoreboard stall ALU, 4 scoreboard stall memory, 5 pipeline stall ALU, 6 pipeline
//              stall memory, 7 paused. The SM decides: one class per scheduler and cycle.
//   Clear      the counts begin again with what this cycle counts. The outputs of the same cycle still show all before
//              it. So a cycle belongs to one period exactly, if whoever clears reads in the cycle in which it clears.
//   Wrap       a count that is full begins again at 0. The difference of two readings is right if less than 2^count_w
//              was counted between them. With 32 bits and four schedulers that takes 2^30 cycles.
//   Illegal    there is no illegal stimulus. More than two instructions per scheduler are counted as they come.
//
// Reset
//   Every count is 0. Outputs do not depend on rst_i, and nothing is counted while it is high.
//
// Twin     sm_counter.c: equal outputs and registers in every cycle after the first reset edge.
//
// Source
//   Awatramani, "Workload-aware scheduling techniques for general purpose applications on graphics processing units",
//   dissertation, section 4.3.1.3, names the classes.
//
// Deviations
//   - The source counts cycles of a core. Here each scheduler of the SM counts by itself, and their cycles are added;
//     those who read compare sums only.
//   - The source does not say what a full counter does. Built: it wraps. A saturated count would be wrong for all who
//     read it until somebody clears it, and several may read.
//   - Instructions and CTAs are ours: other limiters need them.

`default_nettype none

module sm_counter #(
    parameter integer N_SCHEDULER = 2,
    parameter integer COUNT_W = 32,
    parameter integer ISSUE_W = $clog2(2 * N_SCHEDULER + 1) // derived, never overridden
) (
    input  wire                     clk,
    input  wire                     rst_i,
    input  wire [3*N_SCHEDULER-1:0] cycle_i,
    input  wire [ISSUE_W-1:0]       issued_i,
    input  wire [2:0]               started_i,
    input  wire [2:0]               ended_i,
    input  wire                     clear_i,
    output wire [COUNT_W*7-1:0]     cycles_o,
    output wire [COUNT_W-1:0]       instructions_o,
    output wire [COUNT_W-1:0]       starts_o,
    output wire [COUNT_W-1:0]       ends_o
);

    // A bad value instantiates a module that does not exist; its name is the message.
    generate
        if (N_SCHEDULER < 1 || N_SCHEDULER > 4 || COUNT_W < 1 || COUNT_W > 32
            || ISSUE_W != $clog2(2 * N_SCHEDULER + 1)) begin : g_check
            sm_counter_needs_N_SCHEDULER_1_to_4_COUNT_W_1_to_32 u_stop ();
        end
    endgenerate

    // ---- State -------------------------------------------------------------

    (* mem2reg *)                    // registers, of which all are read
    reg [COUNT_W-1:0] cycles_q [0:6];
    reg [COUNT_W-1:0] instructions_q;
    reg [COUNT_W-1:0] starts_q;
    reg [COUNT_W-1:0] ends_q;

    // ---- What this cycle adds to each count ---------------------------------

    // What does not fit a count is cut off, which makes it wrap.
    wire [COUNT_W-1:0] issued;
    wire [COUNT_W-1:0] started;
    wire [COUNT_W-1:0] ended;
    wire [ISSUE_W-1:0] issued_unused;
    wire [2:0]         started_unused;
    wire [2:0]         ended_unused;
    assign {issued_unused, issued}   = {{COUNT_W{1'b0}}, issued_i};
    assign {started_unused, started} = {{COUNT_W{1'b0}}, started_i};
    assign {ended_unused, ended}     = {{COUNT_W{1'b0}}, ended_i};

    // ---- One adder per count -----------------------------------------------

    wire [COUNT_W*7-1:0] cycles;
    genvar               c;
    generate
        for (c = 0; c < 7; c = c + 1) begin : g_class
            localparam [31:0] NUMBER = c + 1;
            reg [COUNT_W-1:0] schedulers; // whose cycle is of this class
            integer           k;
            always @* begin
                schedulers = {COUNT_W{1'b0}};
                for (k = 0; k < N_SCHEDULER; k = k + 1)
                    schedulers = schedulers
                        + {{(COUNT_W-1){1'b0}}, cycle_i[3*k +: 3] == NUMBER[2:0]};
            end
            always @(posedge clk) begin
                if (rst_i)        cycles_q[c] <= {COUNT_W{1'b0}};
                else if (clear_i) cycles_q[c] <= schedulers;
                else              cycles_q[c] <= cycles_q[c] + schedulers;
            end
            assign cycles[COUNT_W*c +: COUNT_W] = cycles_q[c];
        end
    endgenerate

    always @(posedge clk) begin
        if (rst_i) begin
            instructions_q <= {COUNT_W{1'b0}};
            starts_q       <= {COUNT_W{1'b0}};
            ends_q         <= {COUNT_W{1'b0}};
        end else if (clear_i) begin
            instructions_q <= issued;
            starts_q       <= started;
            ends_q         <= ended;
        end else begin
            instructions_q <= instructions_q + issued;
            starts_q       <= starts_q + started;
            ends_q         <= ends_q + ended;
        end
    end

    assign cycles_o       = cycles;
    assign instructions_o = instructions_q;
    assign starts_o       = starts_q;
    assign ends_o         = ends_q;

    // ---- Properties, proved by induction -----------------------------------

`ifdef FORMAL
    reg f_started = 1'b0; // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;
    always @* if (!f_started) assume (rst_i);

    // All classes together, and the schedulers that count: what is counted is counted once.
    reg [COUNT_W-1:0] f_total;
    reg [COUNT_W-1:0] f_counted;
    integer           f_k;
    always @* begin
        f_total   = 0;
        f_counted = 0;
        for (f_k = 0; f_k < 7; f_k = f_k + 1) f_total = f_total + cycles[COUNT_W*f_k +: COUNT_W];
        for (f_k = 0; f_k < N_SCHEDULER; f_k = f_k + 1)
            f_counted = f_counted + (cycle_i[3*f_k +: 3] != 0);
    end

    // Since the last clear or reset, its own cycle included.
    reg [COUNT_W-1:0] f_cycles;
    reg [COUNT_W-1:0] f_issued;
    reg [COUNT_W-1:0] f_open; // CTAs started and not ended
    always @(posedge clk) begin
        if (rst_i) begin
            f_cycles <= 0;
            f_issued <= 0;
            f_open   <= 0;
        end else begin
            f_cycles <= (clear_i ? 0 : f_cycles) + f_counted;
            f_issued <= (clear_i ? 0 : f_issued) + issued_i;
            f_open   <= (clear_i ? 0 : f_open) + started_i - ended_i;
        end
    end

    // One class, whichever it is.
    (* anyconst *) reg [2:0] f_class;
    wire [COUNT_W-1:0] f_count = cycles[COUNT_W*f_class +: COUNT_W];
    reg f_in_class;
    always @* begin
        f_in_class = 1'b0;
        for (f_k = 0; f_k < N_SCHEDULER; f_k = f_k + 1)
            if (cycle_i[3*f_k +: 3] == f_class + 3'd1) f_in_class = 1'b1;
        assume (f_class < 7);
    end

    always @(posedge clk) begin
        if (f_started) begin
            a_once   : assert (f_total == f_cycles);
            a_issued : assert (instructions_o == f_issued);
            a_open   : assert (starts_o - ends_o == f_open);
            if ($past(!rst_i && !clear_i && !f_in_class))
                a_still  : assert (f_count == $past(f_count));
            if (N_SCHEDULER == 1 && $past(!rst_i && !clear_i && f_in_class))
                a_one    : assert (f_count == $past(f_count) + 1'b1);
            if ($past(!rst_i && clear_i && !f_in_class))
                a_clear  : assert (f_count == 0);
            if ($past(rst_i))
                a_reset  : assert (f_total == 0 && instructions_o == 0 && starts_o == 0
                                   && ends_o == 0);
            if (!rst_i) begin
                c_wrap   : cover ($past(&f_count && !rst_i && !clear_i) && f_count == 0);
                c_clear  : cover (clear_i && f_count != 0 && f_in_class);
                c_open   : cover (starts_o != ends_o);
            end
        end
    end
`endif

endmodule

`default_nettype wire
