import { afterAll, beforeAll, expect, test } from 'vitest'
import { languages } from '@keepsnap/contract/languages.ts'
import { variantsFor, createPageInspector, type PageInspector } from './screens/page-inspector.ts'
import { routesOf } from './screens/routes.ts'
import { startPopulatedServer, type PopulatedServer, type ViewerName } from './screens/viewers.ts'

const long = 1_800_000
const viewers = ['visitor', 'undecided', 'free', 'pro', 'admin'] as const satisfies ViewerName[]

/** KEEPSNAP_SCREENS=de/settings looks at some pages only: those whose language and name contain the two parts. */
const [wantedLanguage = '', wantedName = ''] = (process.env['KEEPSNAP_SCREENS'] ?? '/').split('/')

const combinations = languages
  .filter((language) => language.includes(wantedLanguage))
  .flatMap((language) => viewers.map((viewer) => ({ language, viewer })))
  // Operators read English.
  .filter(({ language, viewer }) => viewer !== 'admin' || language === 'en')

let full: PopulatedServer
/** Created before the tests: concurrent tests could not tell which of them has to close a page. */
const photographers = new Map<object, PageInspector>()
beforeAll(async () => {
  full = await startPopulatedServer()
  for (const combination of combinations) {
    const { language, viewer } = combination
    const hasCookieNotice = viewer === 'undecided'
    const visitor = viewer === 'visitor' || hasCookieNotice ? {} : { visitor: full.viewers[viewer] }
    photographers.set(combination, await createPageInspector(full.server, { language, hasCookieNotice, ...visitor }))
  }
}, long)
afterAll(() => full?.close())

test.concurrent.for(combinations)(
  '$language, $viewer: nothing is cut off, moves, fails or is in another language',
  { timeout: long },
  async (combination) => {
    const { language, viewer } = combination
    const { look } = photographers.get(combination)! // opened above
    const problems: string[] = []
    let count = 0
    for (const route of routesOf(viewer, full.links).filter(({ name }) => name.includes(wantedName)))
      for (const size of variantsFor(language, route)) {
        // One page that cannot be looked at does not hide what is wrong with the others.
        const found = await look(route, size).catch((error: unknown) => [
          `${route.name} ${size.width}: ${String(error)}`,
        ])
        if (!found) break
        count += 1
        problems.push(...found)
      }
    console.log(`screens: ${language}, ${viewer}: ${count} pages`)
    expect(problems).toEqual([])
  },
)
