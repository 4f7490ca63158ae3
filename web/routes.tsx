import { lazyComponent as lazyPage } from './lib/lazy-component.tsx'
import { type PageRoute, paths } from './lib/paths.ts'

/** All pages. The navigation links to these only. */
export const routes: readonly PageRoute[] = [
  {
    path: paths.home,
    Page: lazyPage('HomePage', () => import('./features/site/HomePage.tsx')),
    access: 'anyone',
    layout: { className: 'home' },
  },
  {
    path: paths.login,
    Page: lazyPage('LoginPage', () => import('./features/accounts/LoginPage.tsx')),
    access: 'signed-out-return',
    layout: { className: 'auth-page' },
  },
  {
    path: paths.register,
    Page: lazyPage('RegisterPage', () => import('./features/accounts/RegisterPage.tsx')),
    access: 'signed-out-home',
    layout: { className: 'auth-page' },
  },
  {
    path: paths.forgotPassword,
    Page: lazyPage('ForgotPasswordPage', () => import('./features/accounts/ForgotPasswordPage.tsx')),
    access: 'anyone',
    layout: { className: 'auth-page' },
  },
  {
    path: paths.resetPassword,
    Page: lazyPage('ResetPasswordPage', () => import('./features/accounts/ResetPasswordPage.tsx')),
    access: 'anyone',
    layout: { className: 'auth-page' },
  },
  {
    path: paths.verifyEmail,
    Page: lazyPage('VerifyEmailPage', () => import('./features/accounts/VerifyEmailPage.tsx')),
    access: 'anyone',
    layout: { className: 'auth-page' },
  },
  {
    path: paths.latest,
    Page: lazyPage('LatestPage', () => import('./features/screen/LatestPage.tsx')),
    access: 'signed-in',
    layout: { className: 'latest-page', bigScreen: true },
  },
  {
    path: paths.demoScreen,
    Page: lazyPage('DemoScreenPage', () => import('./features/screen/DemoScreenPage.tsx')),
    access: 'anyone',
    layout: { className: 'latest-page', bigScreen: true },
  },
  {
    path: paths.gallery,
    Page: lazyPage('GalleryPage', () => import('./features/photos/GalleryPage.tsx')),
    access: 'anyone',
    layout: { className: 'gallery-page' },
  },
  {
    path: paths.upload,
    Page: lazyPage('UploadPage', () => import('./features/photos/UploadPage.tsx')),
    access: 'signed-in',
    layout: { className: 'upload-page' },
  },
  {
    path: paths.print,
    Page: lazyPage('PrintPage', () => import('./features/branding/PrintPage.tsx')),
    access: 'signed-in',
    layout: { className: 'print-page' },
  },
  {
    path: paths.photoRequests,
    Page: lazyPage('PhotoRequestsPage', () => import('./features/guests/PhotoRequestsPage.tsx')),
    access: 'signed-in',
    layout: { className: 'requests-page' },
  },
  {
    path: paths.insights,
    Page: lazyPage('InsightsPage', () => import('./features/insights/InsightsPage.tsx')),
    access: 'signed-in',
    layout: { className: 'insights-page' },
  },
  {
    path: paths.events,
    Page: lazyPage('EventsPage', () => import('./features/events/EventsPage.tsx')),
    access: 'signed-in',
    layout: { className: 'events-page' },
  },
  {
    path: paths.event,
    Page: lazyPage('EventPage', () => import('./features/events/EventPage.tsx')),
    access: 'signed-in',
    layout: { className: 'settings-page event-page' },
  },
  {
    path: paths.profile,
    Page: lazyPage('ProfilePage', () => import('./features/accounts/ProfilePage.tsx')),
    access: 'anyone',
    layout: { className: 'settings-page' },
  },
  {
    path: paths.settings,
    Page: lazyPage('SettingsPage', () => import('./features/accounts/SettingsPage.tsx')),
    access: 'signed-in',
    layout: { className: 'settings-page' },
  },
  {
    path: paths.pricing,
    Page: lazyPage('PricingPage', () => import('./features/plans/PricingPage.tsx')),
    access: 'anyone',
    layout: { className: 'pricing-page' },
  },
  {
    path: paths.about,
    Page: lazyPage('AboutPage', () => import('./features/site/AboutPage.tsx')),
    access: 'anyone',
    layout: { className: 'about-page' },
  },
  {
    path: paths.support,
    Page: lazyPage('SupportPage', () => import('./features/site/SupportPage.tsx')),
    access: 'anyone',
    layout: { className: 'support-page' },
  },
  {
    path: paths.withdraw,
    Page: lazyPage('WithdrawPage', () => import('./features/plans/WithdrawPage.tsx')),
    access: 'anyone',
    layout: { className: 'support-page' },
  },
  {
    path: paths.privacy,
    Page: lazyPage('PrivacyPage', () => import('./features/site/legal/LegalDocumentPage.tsx')),
    access: 'anyone',
    layout: { className: 'legal-page' },
  },
  {
    path: paths.terms,
    Page: lazyPage('TermsPage', () => import('./features/site/legal/LegalDocumentPage.tsx')),
    access: 'anyone',
    layout: { className: 'legal-page' },
  },
  {
    path: paths.accessibility,
    Page: lazyPage('AccessibilityPage', () => import('./features/site/AccessibilityPage.tsx')),
    access: 'anyone',
    layout: { className: 'legal-page' },
  },
  {
    path: paths.admin,
    Page: lazyPage('AdminPage', () => import('./features/operators/AdminPage.tsx')),
    access: 'anyone',
    layout: { className: 'admin-page' },
  },
  {
    path: paths.apiDocs,
    Page: lazyPage('ApiDocsPage', () => import('./features/integrations/ApiDocsPage.tsx')),
    access: 'anyone',
    layout: { className: 'api-docs-page' },
  },
  {
    path: paths.subscriptionSuccess,
    Page: lazyPage('SubscriptionSuccessPage', () => import('./features/plans/CheckoutReturnPages.tsx')),
    access: 'signed-in',
    layout: { className: 'checkout-page' },
  },
  {
    path: paths.subscriptionCancel,
    Page: lazyPage('SubscriptionCancelPage', () => import('./features/plans/CheckoutReturnPages.tsx')),
    access: 'signed-in',
    layout: { className: 'checkout-page' },
  },
]
