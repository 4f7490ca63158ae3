/**
 * The accessibility statement as data: every success criterion of WCAG 2.2 at levels A and AA, what was found, and how it was
 * tested. `scripts/check-accessibility.ts` compares the automatic part with the tests: the statement cannot say more than they do.
 */

/** When the statement was last gone through as a whole. */
export const reviewedOn = '2026-11-29'

/** A test of the suite, by its file and its title as written there. */
export interface NamedTest {
  file: string
  title: string
}

/** The tests that the statement names, besides the rules of axe. `pages` runs axe. */
export const tests = {
  pages: {
    file: 'e2e/accessibility.spec.ts',
    title: 'on a page of each kind axe finds nothing, forced colours show every state, 320 px and 400 % lose nothing',
  },
  keyboard: {
    file: 'e2e/keyboard.spec.ts',
    title: 'somebody without a mouse registers, uploads, looks, deletes, signs out and in, and sees where the focus is',
  },
  cookieNotice: {
    file: 'e2e/cookie-banner.spec.ts',
    title:
      'the notice moves nothing, is reached early, covers no button, and asks once; without consent nothing leaves',
  },
  shortcuts: {
    file: 'web/features/screen/LatestPage.test.tsx',
    title: 'keys press the controls that name them, unless they are switched off or a field uses the key',
  },
  reviewShortcuts: { file: 'web/features/events/ReviewPage.test.tsx', title: 'shortcuts can be switched off' },
  example: {
    file: 'web/features/site/HomePage.test.tsx',
    title: 'shows the next photo after some seconds, with its code, until it is paused',
  },
  demoScreen: {
    file: 'web/features/screen/DemoScreenPage.test.tsx',
    title: 'arrive one after the other by themselves, until they are paused',
  },
  skipLink: {
    file: 'web/features/site/Frame.test.tsx',
    title: 'has a link that skips the navigation, a title of the tab, and a theme switch',
  },
  titles: { file: 'web/prerender/renderer.test.tsx', title: '%s has the title that the server has sent' },
  language: {
    file: 'e2e/sign-in.spec.ts',
    title: 'a visitor switches to Dutch, registers, and confirms the address, all in Dutch',
  },
  languageNames: {
    file: 'web/ui/LanguageLinks.test.tsx',
    title: 'have their own names, each in its language, and lead there without JavaScript, with what else the URL says',
  },
  formErrors: {
    file: 'web/features/site/SupportPage.test.tsx',
    title: 'says what is wrong beside each field, and moves the focus to the first',
  },
  passwordRules: {
    file: 'web/features/accounts/sign-in-pages.test.tsx',
    title: 'the rules for passwords are applied: marked when met, with a strength, and told on Enter',
  },
  filledIn: {
    file: 'web/features/site/SupportPage.test.tsx',
    title: 'is filled with the name and address of who is signed in, and says when their plan has priority',
  },
  planChange: {
    file: 'web/features/plans/PlanOverview.test.tsx',
    title: 'who pays monthly can change to yearly after a confirmation that says what it costs',
  },
  deletion: {
    file: 'web/features/photos/GalleryPage.test.tsx',
    title: 'deletes a photo after a confirmation, and shows the next one, else the one before; a failure is told',
  },
  toasts: {
    file: 'web/ui/Toasts.test.tsx',
    title: 'is announced by a live region that is in the page before it, and disappears after three seconds',
  },
  newPhoto: {
    file: 'web/features/screen/LatestPage.test.tsx',
    title: 'shows a new photo when it can be seen, announces it once, and has no code of a failed one',
  },
} as const satisfies Record<string, NamedTest>
export type TestName = keyof typeof tests

const chromium = 'Chromium 150.0.7871.100 (headless), Debian 12'

/** What was gone through by hand: when and with what. The messages say what was done. */
export const reviews = {
  keyboard: { on: '2026-11-29', with: chromium },
  screenReader: { on: '2026-11-29', with: 'Orca 43.1, Chromium 156.0.8078.108, Debian 12' },
  zoom: { on: '2026-11-29', with: chromium },
  textSpacing: { on: '2026-11-29', with: chromium },
  forcedColours: { on: '2026-11-29', with: chromium },
  reducedMotion: { on: '2026-11-29', with: chromium },
  orientation: { on: '2026-11-29', with: chromium },
  targets: { on: '2026-11-29', with: chromium },
  contrast: { on: '2026-11-29', with: chromium },
  forms: { on: '2026-11-29', with: chromium },
  reading: { on: '2026-11-29', with: chromium },
} as const satisfies Record<string, { on: string; with: string }>
export type ReviewName = keyof typeof reviews

/** `passed`: the tests named found no failure. `absent`: the product has nothing that the criterion is about. */
export type Result = 'passed' | 'failed' | 'untested' | 'absent'

export interface Criterion {
  /** As in WCAG 2.2. */
  number: string
  level: 'A' | 'AA'
  result: Result
  /** Rules of axe-core, which the test `pages` runs. */
  axe?: readonly string[]
  tests?: readonly TestName[]
  byHand?: readonly ReviewName[]
}

/** Added by WCAG 2.2: EN 301 549 V3.2.1 refers to WCAG 2.1 and has no clause for them. */
const withoutClause = new Set(['2.4.11', '2.5.7', '2.5.8', '3.2.6', '3.3.7', '3.3.8'])

/** The clause of EN 301 549 V3.2.1; null if it has none. */
export const clauseOf = ({ number }: Pick<Criterion, 'number'>): string | null =>
  withoutClause.has(number) ? null : `9.${number}`

/** All criteria of WCAG 2.2 at levels A and AA. 4.1.1 is obsolete and not one of them. */
export const criteria: readonly Criterion[] = [
  {
    number: '1.1.1',
    level: 'A',
    result: 'failed',
    axe: ['image-alt', 'role-img-alt', 'svg-img-alt', 'aria-meter-name', 'aria-progressbar-name'],
    byHand: ['screenReader'],
  },
  { number: '1.2.1', level: 'A', result: 'absent' },
  { number: '1.2.2', level: 'A', result: 'absent' },
  { number: '1.2.3', level: 'A', result: 'absent' },
  { number: '1.2.4', level: 'AA', result: 'absent' },
  { number: '1.2.5', level: 'AA', result: 'absent' },
  {
    number: '1.3.1',
    level: 'A',
    result: 'passed',
    axe: ['aria-required-children', 'aria-required-parent', 'definition-list', 'dlitem', 'list', 'listitem'],
    byHand: ['screenReader'],
  },
  { number: '1.3.2', level: 'A', result: 'passed', byHand: ['screenReader', 'keyboard'] },
  { number: '1.3.3', level: 'A', result: 'passed', byHand: ['reading'] },
  { number: '1.3.4', level: 'AA', result: 'passed', byHand: ['orientation'] },
  { number: '1.3.5', level: 'AA', result: 'passed', axe: ['autocomplete-valid'], byHand: ['forms'] },
  {
    number: '1.4.1',
    level: 'A',
    result: 'passed',
    axe: ['link-in-text-block'],
    tests: ['pages'],
    byHand: ['forcedColours'],
  },
  { number: '1.4.2', level: 'A', result: 'absent' },
  { number: '1.4.3', level: 'AA', result: 'passed', axe: ['color-contrast'], byHand: ['contrast'] },
  { number: '1.4.4', level: 'AA', result: 'passed', axe: ['meta-viewport'], byHand: ['zoom'] },
  { number: '1.4.5', level: 'AA', result: 'passed', byHand: ['reading'] },
  { number: '1.4.10', level: 'AA', result: 'passed', tests: ['pages'], byHand: ['zoom'] },
  { number: '1.4.11', level: 'AA', result: 'passed', byHand: ['contrast'] },
  { number: '1.4.12', level: 'AA', result: 'passed', axe: ['avoid-inline-spacing'], byHand: ['textSpacing'] },
  { number: '1.4.13', level: 'AA', result: 'passed', byHand: ['reading'] },
  {
    number: '2.1.1',
    level: 'A',
    result: 'passed',
    axe: ['scrollable-region-focusable'],
    tests: ['keyboard'],
    byHand: ['keyboard'],
  },
  { number: '2.1.2', level: 'A', result: 'passed', tests: ['keyboard'], byHand: ['keyboard'] },
  { number: '2.1.4', level: 'A', result: 'passed', tests: ['shortcuts', 'reviewShortcuts'] },
  { number: '2.2.1', level: 'A', result: 'passed', axe: ['meta-refresh'], byHand: ['reading'] },
  { number: '2.2.2', level: 'A', result: 'passed', tests: ['example', 'demoScreen'], byHand: ['reducedMotion'] },
  { number: '2.3.1', level: 'A', result: 'passed', byHand: ['reading'] },
  { number: '2.4.1', level: 'A', result: 'passed', axe: ['bypass'], tests: ['skipLink'], byHand: ['keyboard'] },
  { number: '2.4.2', level: 'A', result: 'passed', axe: ['document-title'], tests: ['titles'] },
  { number: '2.4.3', level: 'A', result: 'passed', tests: ['keyboard'], byHand: ['keyboard'] },
  { number: '2.4.4', level: 'A', result: 'passed', axe: ['link-name'], byHand: ['screenReader'] },
  { number: '2.4.5', level: 'AA', result: 'passed', byHand: ['reading'] },
  { number: '2.4.6', level: 'AA', result: 'passed', byHand: ['screenReader'] },
  { number: '2.4.7', level: 'AA', result: 'passed', tests: ['keyboard'], byHand: ['keyboard', 'forcedColours'] },
  { number: '2.4.11', level: 'AA', result: 'passed', tests: ['keyboard', 'cookieNotice'], byHand: ['keyboard'] },
  { number: '2.5.1', level: 'A', result: 'passed', byHand: ['reading'] },
  { number: '2.5.2', level: 'A', result: 'passed', byHand: ['reading'] },
  { number: '2.5.3', level: 'A', result: 'passed', axe: ['label-content-name-mismatch'], byHand: ['screenReader'] },
  { number: '2.5.4', level: 'A', result: 'absent' },
  { number: '2.5.7', level: 'AA', result: 'passed', byHand: ['reading'] },
  { number: '2.5.8', level: 'AA', result: 'passed', axe: ['target-size'], byHand: ['targets'] },
  {
    number: '3.1.1',
    level: 'A',
    result: 'passed',
    axe: ['html-has-lang', 'html-lang-valid'],
    tests: ['language'],
  },
  {
    number: '3.1.2',
    level: 'AA',
    result: 'passed',
    axe: ['valid-lang'],
    tests: ['languageNames'],
    byHand: ['reading'],
  },
  { number: '3.2.1', level: 'A', result: 'passed', byHand: ['keyboard'] },
  { number: '3.2.2', level: 'A', result: 'passed', byHand: ['keyboard'] },
  { number: '3.2.3', level: 'AA', result: 'passed', byHand: ['keyboard'] },
  { number: '3.2.4', level: 'AA', result: 'passed', byHand: ['reading'] },
  { number: '3.2.6', level: 'A', result: 'passed', byHand: ['keyboard'] },
  {
    number: '3.3.1',
    level: 'A',
    result: 'passed',
    tests: ['formErrors', 'passwordRules'],
    byHand: ['screenReader'],
  },
  {
    number: '3.3.2',
    level: 'A',
    result: 'passed',
    axe: ['form-field-multiple-labels'],
    tests: ['passwordRules'],
    byHand: ['screenReader'],
  },
  { number: '3.3.3', level: 'AA', result: 'passed', tests: ['formErrors', 'passwordRules'], byHand: ['forms'] },
  { number: '3.3.4', level: 'AA', result: 'passed', tests: ['planChange', 'deletion'] },
  { number: '3.3.7', level: 'A', result: 'passed', tests: ['filledIn'], byHand: ['forms'] },
  { number: '3.3.8', level: 'AA', result: 'passed', byHand: ['forms'] },
  {
    number: '4.1.2',
    level: 'A',
    result: 'passed',
    axe: [
      'aria-allowed-attr',
      'aria-command-name',
      'aria-hidden-focus',
      'aria-input-field-name',
      'aria-prohibited-attr',
      'aria-required-attr',
      'aria-roles',
      'aria-toggle-field-name',
      'aria-valid-attr',
      'aria-valid-attr-value',
      'button-name',
      'duplicate-id-aria',
      'label',
      'link-name',
      'nested-interactive',
      'select-name',
      'summary-name',
    ],
    byHand: ['screenReader'],
  },
  { number: '4.1.3', level: 'AA', result: 'passed', tests: ['toasts', 'newPhoto'], byHand: ['screenReader'] },
]
