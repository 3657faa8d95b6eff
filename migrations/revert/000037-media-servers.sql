drop table media_server_videos;
drop table media_servers;
