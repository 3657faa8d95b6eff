update video_entries entry
set    file_size = entry.file_size - sound.size
from   sounds sound
where  sound.user_id = entry.user_id and sound.video_id = entry.video_id and sound.completed_at = entry.download_completed_at
and    sound.size is not null and entry.file_size is not null;
drop table sounds;
