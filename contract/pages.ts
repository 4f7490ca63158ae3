/** Paths of the web app's pages. For any other path the server answers 404. */
export const pages = {
  home: '/',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  latest: '/latest',
  demoScreen: '/demo-screen',
  gallery: '/gallery',
  upload: '/upload',
  /** Table cards and posters; `?photo=` names the photo. */
  print: '/print',
  photoRequests: '/photo-requests',
  insights: '/insights',
  profile: '/profile',
  settings: '/settings',
  pricing: '/pricing',
  about: '/about',
  support: '/support',
  privacy: '/privacy',
  terms: '/terms',
  admin: '/admin',
  apiDocs: '/api-docs',
  subscriptionSuccess: '/subscription/success',
  subscriptionCancel: '/subscription/cancel',
} as const
/** GET /photos is an API call and a page path; page loads are redirected to `pages.latest`. */
export const photosPage = '/photos'
