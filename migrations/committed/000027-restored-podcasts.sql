--! Previous: sha1:3f3a0f2a4d713df6a4db2609052d940266ece82f
--! Hash: sha1:ae3227b17aa5de25dd3144010a4a00a1a3baaa51
--! Message: restored-podcasts

-- A channel that is restored from the bin brings its podcasts back.
alter table deleted_channels add column podcasts jsonb;
