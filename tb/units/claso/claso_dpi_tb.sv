// claso_dpi_tb - a SystemVerilog bench that checks a module claso against the golden model,
// called by DPI: an example of how a bench of your own may use it.
//
// Launches small kernels at random and issues their CTAs wherever the golden model allows
// it, with a refused request now and then. Prints PASS, or the first difference.

module claso_dpi_tb;

    import claso_dpi::*;

    parameter integer N_CORE   = 15;
    parameter integer N_POOL   = 1;
    parameter integer N_KERNEL = 4;
    parameter integer CTA_W    = 32;
    parameter integer LEVEL_W  = 4;
    parameter integer CYCLES   = 20000;

    localparam integer CORE_W   = (N_CORE > 1) ? $clog2(N_CORE) : 1;
    localparam integer KERNEL_W = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1;
    localparam integer POOL_W   = (N_POOL > 1) ? $clog2(N_POOL) : 1;

    bit                clk;
    bit                rst;
    bit                launch_valid;
    bit [KERNEL_W-1:0] launch_kernel;
    bit [CTA_W-1:0]    launch_ctas;
    bit                launch_split;
    bit [POOL_W-1:0]   launch_pool;
    bit [N_CORE-1:0]   launch_cores;
    bit [LEVEL_W-1:0]  launch_active;
    bit [LEVEL_W-1:0]  launch_loose;
    bit [KERNEL_W-1:0] kernel;
    bit                consume_valid;
    bit [CORE_W-1:0]   consume_core;
    bit [1:0]          consume_more;
    wire               launch_ready;
    wire               launch_error;
    wire [N_CORE-1:0]  allow [4];
    wire               consume_error;

    claso #(
        .N_CORE(N_CORE), .N_POOL(N_POOL), .N_KERNEL(N_KERNEL), .CTA_W(CTA_W),
        .LEVEL_W(LEVEL_W)
    ) u_dut (
        .clk(clk), .rst_i(rst),
        .launch_valid_i(launch_valid), .launch_kernel_i(launch_kernel),
        .launch_ctas_i(launch_ctas), .launch_split_i(launch_split),
        .launch_pool_i(launch_pool), .launch_cores_i(launch_cores),
        .launch_active_i(launch_active), .launch_loose_i(launch_loose),
        .launch_ready_o(launch_ready), .launch_error_o(launch_error),
        .kernel_i(kernel), .allow_one_o(allow[0]), .allow_two_o(allow[1]),
        .allow_three_o(allow[2]), .allow_four_o(allow[3]),
        .consume_valid_i(consume_valid), .consume_core_i(consume_core),
        .consume_more_i(consume_more), .consume_error_o(consume_error)
    );

    chandle golden;
    bit              want_ready, want_launch_error, want_consume_error;
    bit [N_CORE-1:0] want [4];
    int              cycle;
    int              issued;
    longint          credits;

    task give_inputs;
        claso_dpi_set_launch_valid_i(golden, launch_valid);
        claso_dpi_set_launch_kernel_i(golden, launch_kernel);
        claso_dpi_set_launch_ctas_i(golden, launch_ctas);
        claso_dpi_set_launch_split_i(golden, launch_split);
        claso_dpi_set_launch_pool_i(golden, launch_pool);
        claso_dpi_set_launch_cores_i(golden, launch_cores);
        claso_dpi_set_launch_active_i(golden, launch_active);
        claso_dpi_set_launch_loose_i(golden, launch_loose);
        claso_dpi_set_kernel_i(golden, kernel);
        claso_dpi_set_consume_valid_i(golden, consume_valid);
        claso_dpi_set_consume_core_i(golden, consume_core);
        claso_dpi_set_consume_more_i(golden, consume_more);
        claso_dpi_eval(golden);
    endtask

    task take_outputs;
        claso_dpi_get_launch_ready_o(golden, want_ready);
        claso_dpi_get_launch_error_o(golden, want_launch_error);
        claso_dpi_get_allow_one_o(golden, want[0]);
        claso_dpi_get_allow_two_o(golden, want[1]);
        claso_dpi_get_allow_three_o(golden, want[2]);
        claso_dpi_get_allow_four_o(golden, want[3]);
        claso_dpi_get_consume_error_o(golden, want_consume_error);
    endtask

    // Random inputs; the request goes to a core that is allowed, if there is one.
    task draw_inputs;
        rst           = $urandom % 512 == 0;
        launch_valid  = $urandom % 64 == 0;
        launch_kernel = KERNEL_W'($urandom);
        launch_ctas   = CTA_W'($urandom % (6 * N_CORE));
        launch_split  = 1'($urandom);
        launch_pool   = POOL_W'($urandom % N_POOL);
        for (int c = 0; c < N_CORE; c++) launch_cores[c] = 1'($urandom % 4 != 0);
        launch_active = LEVEL_W'($urandom % 3);
        launch_loose  = LEVEL_W'($urandom % 3);
        kernel        = KERNEL_W'($urandom);
        consume_valid = $urandom % 8 != 0;
        consume_core  = CORE_W'($urandom % N_CORE);
        consume_more  = 2'($urandom);
        give_inputs;
        take_outputs;
        if ($urandom % 16 != 0) begin
            for (int c = 0; c < N_CORE; c++) begin
                if (!want[consume_more][consume_core])
                    consume_core = CORE_W'((32'(consume_core) + 1) % N_CORE);
            end
        end
        give_inputs;
        take_outputs;
    endtask

    initial begin
        golden = claso_dpi_open($sformatf(
            "N_CORE=%0d N_POOL=%0d N_KERNEL=%0d CTA_W=%0d LEVEL_W=%0d", N_CORE, N_POOL,
            N_KERNEL, CTA_W, LEVEL_W));
        if (golden == null) $fatal(1, "no golden model");
    end

    always #5 clk = !clk;

    // Inputs change on the falling edge, the first of which is a reset.
    always @(negedge clk) begin
        draw_inputs;
        if (cycle == 0) rst = 1'b1;
        cycle <= cycle + 1;
    end

    wire want_allowed = want[consume_more][consume_core];

    // The rising edge ends the cycle: compare what both showed in it, then clock both.
    always @(posedge clk) begin
        if (cycle > 1
            && {launch_ready, launch_error, allow[0], allow[1], allow[2], allow[3],
                consume_error}
               != {want_ready, want_launch_error, want[0], want[1], want[2], want[3],
                   want_consume_error})
            $fatal(1, "cycle %0d: masks %h %h %h %h, golden model %h %h %h %h", cycle,
                   allow[0], allow[1], allow[2], allow[3], want[0], want[1], want[2], want[3]);
        if (cycle > 0) begin
            if (rst) claso_dpi_reset(golden);
            else     claso_dpi_tick(golden);
            if (!rst && consume_valid && want_allowed)
                issued <= issued + 1 + 32'(consume_more);
        end
        if (cycle == CYCLES) begin
            if (issued == 0) $fatal(1, "no CTA issued: nothing was checked");
            // Memories are there to see as well.
            credits = claso_dpi_get_local_q(golden, 0);
            $display("PASS %0d cycles, %0d CTAs issued, C_p[0] of slot 0 is %0d", CYCLES,
                     issued, credits);
            claso_dpi_close(golden);
            $finish;
        end
    end

endmodule
