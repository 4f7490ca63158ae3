import { sql } from 'kysely'
import { adminLimits, apiKeyLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import { recordAction } from './audit-log.ts'
import type { AdminKeyActor, KeyStore } from '../../platform/http/authenticator.ts'
import { lastFourOf, newApiKey } from '../../lib/api-keys.ts'
import { hashOf, newId } from '../../lib/ids.ts'

/** An admin key as lists show it. */
export interface AdminKey {
  id: string
  name: string
  lastFour: string
  createdAt: Date
  lastUsedAt: Date | null
  revokedAt: Date | null
}

/** Revoked keys stay in the table, because the audit log names them; the list has the newest. */
const listedMax = 200
const touchAfter = '1 minute'

/** The admin keys in the database. They are read at each call, so that a revoked key is refused at once. */
export const adminKeyStore = (db: Db): KeyStore<AdminKeyActor> => ({
  async find(keyHash) {
    const { rows } = await sql<{ id: string; name: string; isStale: boolean }>`
      select id, name, last_used_at is null or last_used_at < now() - ${touchAfter}::interval as "isStale"
      from admin_keys where key_hash = ${keyHash} and revoked_at is null`.execute(db)
    const [key] = rows
    if (!key) return undefined
    if (key.isStale)
      await db
        .updateTable('admin_keys')
        .set({ last_used_at: sql<Date>`now()` })
        .where('id', '=', key.id)
        .execute()
    return { by: 'admin key', keyId: key.id, keyName: key.name }
  },
  async isLive({ keyId }) {
    const key = await db
      .selectFrom('admin_keys')
      .select('id')
      .where('id', '=', keyId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    return key !== undefined
  },
  async addNetwork({ keyId }, network) {
    const { numAffectedRows } = await sql`
      update admin_keys set networks = (array_prepend(${network}::bytea, networks))[1:${sql.lit(apiKeyLimits.networksMax)}]
      where id = ${keyId} and not ${network}::bytea = any (networks)`.execute(db)
    return numAffectedRows === 1n
  },
})

/** Creates an admin key; returns it in full, for the only time. Undefined when there are as many as allowed. */
export async function createAdminKey(db: Db, name: string): Promise<{ id: string; key: string } | undefined> {
  const [id, key] = [newId(), newApiKey('admin')]
  return db.transaction().execute(async (tx) => {
    await sql`lock table admin_keys in share row exclusive mode`.execute(tx)
    const { numAffectedRows } = await sql`
      insert into admin_keys (id, name, key_hash, last_four)
      select ${id}, ${name}, ${hashOf(key)}, ${lastFourOf(key)}
      where (select count(*) from admin_keys where revoked_at is null) < ${adminLimits.keysMax}`.execute(tx)
    if (numAffectedRows !== 1n) return undefined
    const by = { kind: 'command', id: null, name: 'create-admin-key' } as const
    await recordAction(tx, { by, action: `create admin key ${name}`, outcome: 'done' })
    return { id, key }
  })
}

/** The admin keys, the newest first. */
export async function listAdminKeys(db: Db): Promise<AdminKey[]> {
  const { rows } = await sql<AdminKey>`
    select id, name, last_four as "lastFour", created_at as "createdAt", last_used_at as "lastUsedAt",
      revoked_at as "revokedAt"
    from admin_keys order by created_at desc, id limit ${listedMax}`.execute(db)
  return rows
}

/** Revokes an admin key on all nodes at once; undefined when there is none with this id. */
export async function revokeAdminKey(db: Db, id: string): Promise<{ name: string; wasRevoked: boolean } | undefined> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ name: string; wasRevoked: boolean }>`
      select name, revoked_at is not null as "wasRevoked" from admin_keys where id = ${id} for update`.execute(tx)
    const [key] = rows
    if (!key || key.wasRevoked) return key
    await tx
      .updateTable('admin_keys')
      .set({ revoked_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    const by = { kind: 'command', id: null, name: 'revoke-admin-key' } as const
    await recordAction(tx, { by, action: `revoke admin key ${key.name}`, outcome: 'done' })
    return key
  })
}
