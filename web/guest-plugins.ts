import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '@keepsnap/contract/limits.ts'
import { build, type CSSOptions, type Plugin } from 'vite'

const folder = join(import.meta.dirname, 'guest')
/** Parts of the app that guest pages are made of. */
const borrowed = ['Button', 'Logo', 'Note'].map((name) => join(import.meta.dirname, 'ui', `${name}.tsx`))

/** Every class in the sources of guest pages. */
function classesInSources(): Set<string> {
  const own = ['', 'script'].flatMap((part) =>
    readdirSync(join(folder, part))
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
      .map((file) => readFileSync(join(folder, part, file), 'utf8')),
  )
  const text = own.join('\n')
  const quoted = borrowed.flatMap((file) => readFileSync(file, 'utf8').match(/['"`][^'"`\n]*['"`]/g) ?? [])
  const named = Array.from(text.matchAll(/class(?:Name)?\s*=\s*\{?(['"`])([^'"`\n]*)\1/g), ([, , names]) => names)
  // Composed from what these parts are given.
  const composed = Array.from(text.matchAll(/\b(?:tone|look)(?:: '|=")(\w+)/g), ([, value]) =>
    ['btn', 'note', 'guest'].map((block) => `${block}--${value}`),
  )
  return new Set([...quoted, ...named, ...composed.flat()].join(' ').match(/[\w-]+/g))
}

type PostCss = Exclude<CSSOptions['postcss'], string | undefined>

/** Leaves out rules for what is not on guest pages, and custom properties that nothing left reads. */
export function onlyWhatIsUsed(): PostCss {
  const appliesTo =
    (classes: Set<string>) =>
    (selector: string): boolean =>
      !/\[data-theme/.test(selector) &&
      (selector.match(/\.-?[A-Za-z_][\w-]*/g) ?? []).every((name) => classes.has(name.slice(1)))
  return {
    plugins: [
      {
        postcssPlugin: 'only-what-is-used',
        OnceExit(root) {
          const applies = appliesTo(classesInSources())
          root.walkRules((rule) => {
            if (rule.parent?.type === 'atrule' && 'name' in rule.parent && rule.parent.name === 'keyframes') return
            // No theme is chosen on guest pages: the system's counts.
            const selectors = rule.selectors.map((one) => one.replaceAll(':not([data-theme])', '')).filter(applies)
            if (selectors.length === 0) rule.remove()
            else rule.selectors = selectors
          })
          root.walkAtRules((rule) => {
            if (rule.nodes?.length === 0) rule.remove()
          })
          const isRead = (text: string, name: string): boolean =>
            text.includes(`var(${name})`) || text.includes(`var(${name},`)
          for (let removed = true; removed;) {
            removed = false
            const text = root.toString()
            root.walkDecls(/^--/, (declaration) => {
              if (isRead(text, declaration.prop)) return
              declaration.remove()
              removed = true
            })
          }
          const text = root.toString()
          root.walkAtRules('keyframes', (rule) => {
            if (!new RegExp(`animation:[^;}]*\\b${rule.params}\\b`).test(text)) rule.remove()
          })
        },
      },
    ],
  }
}

/** Writes the one limit that the script reads into it, so that the others stay out. */
const inlineLimit: Plugin = {
  name: 'inline-limit',
  transform: {
    filter: { id: /contract\/emails\.ts$/ },
    handler: (code) => ({ code: code.replaceAll('limits.emailChars', String(limits.emailChars)), map: null }),
  },
}

const scriptName = 'virtual:guest-script'

/** The pages' script as a string: bundled and made small on its own, because it goes into the page. */
export const guestScript = (): Plugin => ({
  name: 'guest-script',
  resolveId: (id) => (id === scriptName ? `\0${scriptName}` : undefined),
  async load(id) {
    if (id !== `\0${scriptName}`) return undefined
    const entry = join(folder, 'script', 'main.ts')
    for (const file of readdirSync(join(folder, 'script'))) this.addWatchFile(join(folder, 'script', file))
    const built = await build({
      configFile: false,
      root: folder,
      logLevel: 'warn',
      plugins: [inlineLimit],
      build: {
        write: false,
        minify: true,
        target: 'es2020',
        rolldownOptions: { input: entry, output: { format: 'iife' } },
      },
    })
    const output = [built].flat().flatMap((part) => ('output' in part ? part.output : []))
    const [first, ...more] = output
    if (first?.type !== 'chunk' || more.length > 0) throw new Error('the script of the guest pages is not one file')
    if (/<\/script/i.test(first.code)) throw new Error('the script of the guest pages would end itself')
    return `export default ${JSON.stringify(first.code.trim())}`
  },
})
