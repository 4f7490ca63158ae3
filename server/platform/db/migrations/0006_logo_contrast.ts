import { type Kysely, sql } from 'kysely'

/**
 * How well a logo can be seen on paper and on ink: the shares of its pixels that cannot. Null for backgrounds, and for logos
 * that are not measured yet; a job measures those.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table brand_images add low_contrast_on_paper real, add low_contrast_on_ink real`.execute(db)
  await sql`create index brand_images_unmeasured on brand_images (key) where kind = 'logo' and low_contrast_on_paper is null`.execute(
    db,
  )
}
