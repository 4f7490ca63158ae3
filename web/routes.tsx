import { lazyComponent as lazyPage } from './lib/lazy-component.tsx'
import type { PageRoute } from './lib/page-route.ts'
import { paths } from './lib/paths.ts'

/** All pages. The navigation links to these only. */
export const routes: readonly PageRoute[] = [
  {
    path: paths.home,
    Page: lazyPage('HomePage', () => import('./pages/HomePage.tsx')),
    access: 'anyone',
    layout: { className: 'home' },
  },
  {
    path: paths.login,
    Page: lazyPage('LoginPage', () => import('./pages/LoginPage.tsx')),
    access: 'signed-out-return',
    layout: { className: 'auth-page' },
  },
  {
    path: paths.register,
    Page: lazyPage('RegisterPage', () => import('./pages/RegisterPage.tsx')),
    access: 'signed-out-home',
    layout: { className: 'auth-page' },
  },
  {
    path: paths.forgotPassword,
    Page: lazyPage('ForgotPasswordPage', () => import('./pages/ForgotPasswordPage.tsx')),
    access: 'anyone',
    layout: { className: 'auth-page' },
  },
  {
    path: paths.resetPassword,
    Page: lazyPage('ResetPasswordPage', () => import('./pages/ResetPasswordPage.tsx')),
    access: 'anyone',
    layout: { className: 'auth-page' },
  },
  {
    path: paths.verifyEmail,
    Page: lazyPage('VerifyEmailPage', () => import('./pages/VerifyEmailPage.tsx')),
    access: 'anyone',
    layout: { className: 'auth-page' },
  },
  {
    path: paths.latest,
    Page: lazyPage('LatestPage', () => import('./pages/LatestPage.tsx')),
    access: 'signed-in',
    layout: { className: 'latest-page', bigScreen: true },
  },
  {
    path: paths.demoScreen,
    Page: lazyPage('DemoScreenPage', () => import('./pages/DemoScreenPage.tsx')),
    access: 'anyone',
    layout: { className: 'latest-page', bigScreen: true },
  },
  {
    path: paths.gallery,
    Page: lazyPage('GalleryPage', () => import('./pages/GalleryPage.tsx')),
    access: 'anyone',
    layout: { className: 'gallery-page' },
  },
  {
    path: paths.upload,
    Page: lazyPage('UploadPage', () => import('./pages/UploadPage.tsx')),
    access: 'signed-in',
    layout: { className: 'upload-page' },
  },
  {
    path: paths.print,
    Page: lazyPage('PrintPage', () => import('./pages/PrintPage.tsx')),
    access: 'signed-in',
    layout: { className: 'print-page' },
  },
  {
    path: paths.photoRequests,
    Page: lazyPage('PhotoRequestsPage', () => import('./pages/PhotoRequestsPage.tsx')),
    access: 'signed-in',
    layout: { className: 'requests-page' },
  },
  {
    path: paths.insights,
    Page: lazyPage('InsightsPage', () => import('./pages/InsightsPage.tsx')),
    access: 'signed-in',
    layout: { className: 'insights-page' },
  },
  {
    path: paths.profile,
    Page: lazyPage('ProfilePage', () => import('./pages/ProfilePage.tsx')),
    access: 'anyone',
    layout: { className: 'settings-page' },
  },
  {
    path: paths.settings,
    Page: lazyPage('SettingsPage', () => import('./pages/SettingsPage.tsx')),
    access: 'signed-in',
    layout: { className: 'settings-page' },
  },
  {
    path: paths.pricing,
    Page: lazyPage('PricingPage', () => import('./pages/PricingPage.tsx')),
    access: 'anyone',
    layout: { className: 'pricing-page' },
  },
  {
    path: paths.about,
    Page: lazyPage('AboutPage', () => import('./pages/AboutPage.tsx')),
    access: 'anyone',
    layout: { className: 'about-page' },
  },
  {
    path: paths.support,
    Page: lazyPage('SupportPage', () => import('./pages/SupportPage.tsx')),
    access: 'anyone',
    layout: { className: 'support-page' },
  },
  {
    path: paths.privacy,
    Page: lazyPage('PrivacyPage', () => import('./pages/PrivacyPage.tsx')),
    access: 'anyone',
    layout: { className: 'legal-page' },
  },
  {
    path: paths.terms,
    Page: lazyPage('TermsPage', () => import('./pages/TermsPage.tsx')),
    access: 'anyone',
    layout: { className: 'legal-page' },
  },
  {
    path: paths.admin,
    Page: lazyPage('AdminPage', () => import('./pages/AdminPage.tsx')),
    access: 'anyone',
    layout: { className: 'admin-page' },
  },
  {
    path: paths.apiDocs,
    Page: lazyPage('ApiDocsPage', () => import('./pages/ApiDocsPage.tsx')),
    access: 'anyone',
    layout: { className: 'api-docs-page' },
  },
  {
    path: paths.subscriptionSuccess,
    Page: lazyPage('SubscriptionSuccessPage', () => import('./pages/SubscriptionSuccessPage.tsx')),
    access: 'signed-in',
    layout: { className: 'checkout-page' },
  },
  {
    path: paths.subscriptionCancel,
    Page: lazyPage('SubscriptionCancelPage', () => import('./pages/SubscriptionCancelPage.tsx')),
    access: 'signed-in',
    layout: { className: 'checkout-page' },
  },
]
