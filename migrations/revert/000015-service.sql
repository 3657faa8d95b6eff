drop table tool_versions, tool_outcomes, host_probes, host_looks, host_pauses, workers;
