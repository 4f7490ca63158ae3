/** Page routes of the web app, spec section 2: the server answers them with the app, anything else with its 404. */
export const pages = {
  home: '/',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  latest: '/latest',
  gallery: '/gallery',
  upload: '/upload',
  photoRequests: '/photo-requests',
  insights: '/insights',
  profile: '/profile',
  settings: '/settings',
} as const
/** GET /photos is both a call and a page; a page load is sent here. */
export const photosPage = '/photos'
