drop index video_entries_look_turn_idx;
drop table feeds;
