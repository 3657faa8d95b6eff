--! Previous: sha1:9c9b768a626f3cb2e51b1ddc21f900a55d1e33d8
--! Hash: sha1:cf526466c2fc5e969888c6161070e0883faab0b9
--! Message: probes-by-person

-- Several people may try a site at the same time. Each has a row, so that a newer probe does not take the place of one that still runs.
alter table host_probes
  drop constraint host_probes_pkey,
  add constraint host_probes_pkey primary key (host, user_id);
