import { pages } from '@keepsnap/contract/pages.ts'
import type { Catalogue } from '../messages/en.ts'

/** A page of the app, by its name in `contract/pages.ts`. */
export type PageName = keyof typeof pages

/** What the document of a page says about it before the app has started. */
export interface PageHead {
  /** The same sentence that the page gives to `usePageTitle`. */
  title(text: Catalogue): string
  /** Search engines may show the page with this description. Pages without one are not for them. */
  description?(text: Catalogue): string
  /** The module of a page that the server renders: it needs no JavaScript to be read. */
  module?: string
}

/** The heads of all pages. */
export const pageHeads: Record<PageName, PageHead> = {
  home: {
    title: ({ home }) => home.title,
    description: ({ pageDescriptions }) => pageDescriptions.home,
    module: 'pages/HomePage.tsx',
  },
  pricing: {
    title: ({ claims }) => claims.title,
    description: ({ pageDescriptions }) => pageDescriptions.pricing,
    module: 'pages/PricingPage.tsx',
  },
  apiDocs: {
    title: ({ apiDocs }) => apiDocs.title,
    description: ({ pageDescriptions }) => pageDescriptions.apiDocs,
    module: 'pages/ApiDocsPage.tsx',
  },
  about: {
    title: ({ about }) => about.title,
    description: ({ about }) => about.description,
    module: 'pages/AboutPage.tsx',
  },
  support: {
    title: ({ support }) => support.title,
    description: ({ support }) => support.description,
    module: 'pages/SupportPage.tsx',
  },
  privacy: {
    title: ({ frame }) => frame.links.privacy,
    description: ({ pageDescriptions }) => pageDescriptions.privacy,
    module: 'pages/PrivacyPage.tsx',
  },
  terms: {
    title: ({ frame }) => frame.links.terms,
    description: ({ pageDescriptions }) => pageDescriptions.terms,
    module: 'pages/TermsPage.tsx',
  },
  demoScreen: { title: ({ demo }) => demo.title, description: ({ pageDescriptions }) => pageDescriptions.demoScreen },
  login: { title: ({ session }) => session.login.title, description: ({ pageDescriptions }) => pageDescriptions.login },
  register: {
    title: ({ session }) => session.register.title,
    description: ({ pageDescriptions }) => pageDescriptions.register,
  },
  forgotPassword: {
    title: ({ forgot }) => forgot.title,
    description: ({ pageDescriptions }) => pageDescriptions.forgotPassword,
  },
  resetPassword: { title: ({ reset }) => reset.reset.title },
  verifyEmail: { title: ({ verify }) => verify.title },
  latest: { title: ({ latest }) => latest.title },
  gallery: { title: ({ gallery }) => gallery.title },
  upload: { title: ({ upload }) => upload.title },
  print: { title: ({ printKit }) => printKit.title },
  photoRequests: { title: ({ requests }) => requests.title },
  insights: { title: ({ insights }) => insights.title },
  profile: { title: ({ account }) => account.profileTitle },
  settings: { title: ({ account }) => account.title },
  // The title of the 404 page: only operators may know that this page exists.
  admin: { title: ({ notFound }) => notFound.title },
  subscriptionSuccess: { title: ({ checkout }) => checkout.verifying.title },
  subscriptionCancel: { title: ({ checkout }) => checkout.cancelled.title },
}

/** Any other path. */
export const notFoundHead: PageHead = { title: ({ notFound }) => notFound.title, module: 'pages/NotFoundPage.tsx' }

const nameByPath = new Map(Object.entries(pages).map(([name, path]) => [path as string, name as PageName])) // its own keys

/** The name of the page with a path. */
export const pageNameOf = (path: string): PageName | undefined => nameByPath.get(path)
