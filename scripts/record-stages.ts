import type { Tools } from './test-run.ts'

export interface Stage {
  title: string
  /** Test files and folders, from the project's root. */
  files: string[]
  /** What it needs beside the tools of `npm test`. */
  tools?: Tools
  /** A folder with packages of its own, which are installed when the stage runs. */
  packageFolder?: string
  /** Settings of its tests. */
  env?: Record<string, string>
  /** A variable of the environment without which it is left out. */
  variable?: string
}

export const stages: Record<string, Stage> = {
  images: {
    title: 'mutated JPEGs in the strict reader, mutated heads of all formats, decompression bombs, hostile SVGs',
    files: [
      'server/images/jpeg/jpeg-fuzz.test.ts',
      'server/images/header-fuzz.test.ts',
      'server/images/render',
      'server/features/branding/branding.test.ts',
    ],
  },
  hostile: {
    title:
      'hostile input, failures, races for the last place of a month, deleted accounts, and times that are promised',
    files: [
      'server/test/hostile',
      'server/features/events/guest-photos.test.ts',
      'server/features/guests/access.test.ts',
      'server/platform/process/data-folder.test.ts',
      'server/features/photos/upload.test.ts',
      'server/features/accounts',
    ],
  },
  payments: {
    title: 'each call of the payment provider failing in turn, random orders of webhooks',
    files: ['server/features/plans'],
  },
  stripe: {
    title: 'the shared tests of payments at Stripe itself, in test mode',
    files: ['server/ports/payments/stripe-test-mode.record.ts'],
    variable: 'STRIPE_TEST_KEY',
  },
  invoices: {
    title:
      'invoices and credit notes of businesses against the official rules of EN 16931; EN16931_RULES is the folder with EN16931-UBL-validation.sch of CEN’s validation artefacts',
    files: ['server/test/en16931/invoices.record.ts'],
    packageFolder: 'server/test/en16931',
    variable: 'EN16931_RULES',
  },
  emails: {
    title: 'many emails, and whether the time of an answer reveals anything about an address',
    files: ['server/features/emails', 'server/features/guests'],
  },
  'mail-relay': {
    title: 'emails through a real Postfix',
    files: ['server/ports/mail/mail-relay.record.ts'],
    tools: { '/usr/sbin/postfix': 'postfix' },
  },
  kills: {
    title: 'kill -9 in the middle of uploads and processing, of PostgreSQL, of keepsnap-upload, of move-storage',
    files: [
      'e2e/kills.spec.ts',
      'server/platform/postgres/embedded-postgres.test.ts',
      'client/command/keepsnap-upload.test.ts',
      'server/operations/move-storage.test.ts',
      'server/operations/killed-moves.record.ts',
      'server/operations/verify-beside-moves.record.ts',
    ],
  },
  backup: {
    title:
      'restore drills: 1,000 photos, kill -9 of backups and restores, PostgreSQL 15, a bucket; verify and its repair',
    files: [
      'server/operations/back-up.test.ts',
      'server/operations/restore.test.ts',
      'server/operations/backup-drills.record.ts',
      'server/operations/backup-full-disk.record.ts',
      'server/operations/verify-races.test.ts',
    ],
    tools: { '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15' },
  },
  'old-code': {
    title: 'the last release on a database that this version has migrated, beside this version',
    files: ['server/test/old-code.record.ts'],
  },
  alerts: {
    title: 'each alert rule fires, in promtool and in a Prometheus that reads a server in trouble',
    files: ['server/platform/metrics/alerts.record.ts'],
    tools: { '/usr/bin/prometheus': 'prometheus', '/usr/bin/promtool': 'prometheus' },
  },
  outputs: {
    title: 'what users, programs and operators get, in test-results/outputs, for diff -r between two commits',
    files: ['server/test/outputs.record.ts'],
  },
  events: {
    title: '100 phones that add 1,000 photos to an event within two minutes; KEEPSNAP_PHONES for fewer',
    files: ['server/test/event-guests.record.ts'],
  },
  season: {
    title: 'an account with 20,000 photos of 50 evenings and 8,000 requests',
    files: ['e2e/season.spec.ts'],
  },
  attackers: {
    title:
      'slow files, answers that nobody reads, wrong sign-ins, hostile names, slow webhooks; beside KEEPSNAP_BASELINE, an earlier commit',
    files: [
      'server/test/upload-names.record.ts',
      'server/test/sign-ins.record.ts',
      'server/test/slow-files.record.ts',
      'server/test/slow-webhooks.record.ts',
      'server/test/unread-answers.record.ts',
    ],
    tools: {
      '/usr/sbin/haproxy': 'haproxy',
      '/usr/bin/openssl': 'openssl',
      '/usr/sbin/ip': 'iproute2',
    },
  },
  proxies: {
    title:
      'Caddy, HAProxy and nginx with the samples of deploy/: large and slow uploads, WebSockets, addresses, no node',
    files: ['server/platform/http/proxies.record.ts', 'server/platform/http/proxies-without-node.record.ts'],
    tools: {
      '/usr/bin/caddy': 'caddy',
      '/usr/sbin/haproxy': 'haproxy',
      '/usr/sbin/nginx': 'nginx-light',
      '/usr/bin/curl': 'curl',
      '/usr/bin/openssl': 'openssl',
    },
  },
  s3: {
    title: 'the journeys of users, guests and operators with files in a bucket (radosgw)',
    files: ['e2e'],
    env: { KEEPSNAP_STORE: 's3', KEEPSNAP_RECORD: '0', KEEPSNAP_CYCLES: '20' },
  },
  nodes: {
    title:
      'journeys on two API nodes and two workers behind HAProxy, with files in a bucket; nodes killed and restarted',
    files: [
      'e2e/main.spec.ts',
      'e2e/guests.spec.ts',
      'e2e/upload.spec.ts',
      'e2e/two-screens.spec.ts',
      'e2e/sign-in.spec.ts',
      'e2e/keyboard.spec.ts',
      'e2e/subscription.spec.ts',
      'e2e/operator.spec.ts',
      'e2e/integrations.spec.ts',
      'e2e/nodes.record.ts',
    ],
    tools: { '/usr/sbin/haproxy': 'haproxy' },
    env: { KEEPSNAP_STORE: 's3', KEEPSNAP_NODES: '1' },
  },
  screens: {
    title:
      'every state of every page at four widths in both themes, with axe, and in four languages; every email; Latest on all screens; prints in other scripts',
    files: ['e2e/screens.record.ts', 'e2e/latest-shapes.spec.ts', 'e2e/print.spec.ts'],
    // A font with the metrics of Arial, which the fallback of the web font is adjusted to.
    tools: { '/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf': 'fonts-liberation' },
  },
  engines: {
    title:
      'the main journey in Firefox, WebKitGTK and Chromium, that of a guest in an app; with KEEPSNAP_OLD_BROWSERS, a folder with a binary at 108/chromium and so on, in Chromium 108, 69 and 64',
    files: ['e2e/engines'],
    tools: {
      '/usr/bin/firefox-esr': 'firefox-esr',
      '/usr/bin/WebKitWebDriver': 'webkit2gtk-driver',
      '/usr/bin/Xvfb': 'xvfb',
      '/usr/bin/zbarimg': 'zbar-tools',
    },
  },
  lighthouse: {
    title: 'Lighthouse on the pages that visitors see first',
    files: ['e2e/lighthouse'],
    packageFolder: 'e2e/lighthouse',
  },
  'api-client': {
    title: 'a client that another generator makes from the OpenAPI document',
    files: ['e2e/api-client'],
    packageFolder: 'e2e/api-client',
  },
}
