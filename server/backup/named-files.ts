/**
 * The files that rows name and whose bytes a backup needs: of photos that are there or can be put back, of brands, and
 * archives. With the content type, the size that the row says, and the row's photo or account.
 */
export const namedFilesSql = `
  select stored_objects.key collate "C" as key,
    case stored_objects.key when photos.original_key then photos.original_bytes when photos.full_key then photos.full_bytes
      when photos.thumb_key then photos.thumb_bytes when photos.unmarked_key then photos.unmarked_bytes
      else coalesce(brand_images.bytes, archives.bytes) end as bytes,
    case stored_objects.key when photos.full_key then photos.full_type when photos.unmarked_key then photos.unmarked_type
      when photos.thumb_key then 'image/webp' when archives.key then 'application/zip'
      else coalesce(brand_images.type, 'application/octet-stream') end as type,
    stored_objects.photo_id, stored_objects.user_id
  from stored_objects
    left join photos on photos.id = stored_objects.photo_id
    left join brand_images on brand_images.key = stored_objects.key
    left join archives on archives.key = stored_objects.key and archives.state = 'ready'
  where brand_images.key is not null or archives.key is not null
    or photos.state <> 'receiving'
      and (photos.deleted_at is null or exists (select from photo_removals where photo_removals.photo_id = photos.id))
      and stored_objects.key in (photos.original_key, photos.full_key, photos.thumb_key, photos.unmarked_key)`
