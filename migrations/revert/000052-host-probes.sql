drop table host_probes;
