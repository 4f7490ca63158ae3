import { sql } from 'kysely'
import { planIds, plans } from '@keepsnap/contract/plans.ts'
import type { Db } from './connect.ts'

/** Writes the plans of the contract into the database, where they differ. */
export async function seedPlans(db: Db): Promise<void> {
  const rows = planIds.map((id, position) => {
    const { name, description, price_cents, interval_type, features } = plans[id]
    return sql`(${id}, ${name}, ${description}, ${price_cents}::integer, ${interval_type}, ${JSON.stringify(features)}::jsonb, ${position}::smallint)`
  })
  await sql`
    insert into plans (id, name, description, price_cents, interval_type, features, position) values ${sql.join(rows)}
    on conflict (id) do update set name = excluded.name, description = excluded.description,
      price_cents = excluded.price_cents, interval_type = excluded.interval_type, features = excluded.features,
      position = excluded.position
    where (plans.name, plans.description, plans.price_cents, plans.interval_type, plans.features, plans.position)
      is distinct from (excluded.name, excluded.description, excluded.price_cents, excluded.interval_type,
        excluded.features, excluded.position)`.execute(db)
}
