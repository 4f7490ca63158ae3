import { billingLimits, withdrawalLimits } from '@keepsnap/contract/limits.ts'
import type * as english from '../en/withdrawals.ts'

const { withdrawalDays, refundDays } = billingLimits

export const withdrawal: typeof english.withdrawal = {
  title: 'Renoncer au contrat',
  lead: `Dans les ${withdrawalDays} jours suivant la conclusion d’un contrat pour une formule payante, vous pouvez vous en rétracter sans donner de motif. Ce que vous avez payé pour ce contrat vous est remboursé. Un passage du paiement mensuel à l’annuel ou inversement est un contrat distinct.`,
  own: {
    heading: 'Votre contrat',
    plan: 'Formule',
    made: 'Conclu le',
    invoice: 'Facture',
    until: 'Rétractation jusqu’au',
    date: (date) => date,
    contract: (plan, date, invoice) => `${plan}, conclu le ${date}, facture ${invoice}`,
    other: 'Renoncer à un autre contrat',
    back: 'Renoncer à mon contrat actuel',
  },
  none: 'Votre compte n’a pas de contrat payant actuellement. S’il s’agit d’un autre contrat, indiquez lequel.',
  over: (date) => `Les ${withdrawalDays} jours pour ce contrat ont pris fin le ${date}.`,
  moneyBack: (date) =>
    `Jusqu’au ${date}, vous pouvez encore demander un remboursement dans les Paramètres, une fois par compte.`,
  later: `Passé ce délai, la garantie de remboursement de ${refundDays} jours peut encore s’appliquer : une fois par compte, dans les Paramètres.`,
  settings: 'Ouvrir les Paramètres',
  offerFailed:
    'Votre contrat n’a pas pu être chargé. Vous pouvez tout de même vous rétracter : indiquez de quel contrat il s’agit.',
  earlier: (when) => `Vous vous êtes rétracté d’un contrat le ${when}.`,
  signedOut: 'Vous avez un compte ?',
  signIn: 'Connectez-vous',
  signInHint: 'pour que tout soit rempli. Vous pouvez aussi vous rétracter sans vous connecter.',
  fields: { name: 'Nom', email: 'E-mail', contract: 'Quel contrat' },
  emailHint: 'L’adresse de votre compte. L’accusé de réception y est envoyé.',
  contractHint: 'La formule et la date à laquelle vous l’avez choisie, ou le numéro de la facture.',
  problems: {
    name: { missing: 'Indiquez votre nom', long: (most) => `Utilisez au plus ${most} caractères` },
    contract: {
      missing: 'Indiquez quel contrat : la formule et sa date, ou le numéro d’une facture',
      long: (most) => `Utilisez au plus ${most} caractères`,
    },
    email: {
      missing: 'Veuillez indiquer votre adresse e-mail',
      at: 'Indiquez une adresse complète, par exemple nom@example.com',
      ending: 'Il manque la fin de l’adresse, par exemple .com',
      several: 'Indiquez une seule adresse',
      space: 'L’adresse contient un espace',
      characters: 'L’adresse contient des caractères non autorisés',
      long: 'L’adresse est trop longue',
      form: 'Cela ne ressemble pas à une adresse e-mail',
    },
  },
  next: 'Renoncer au contrat',
  confirm: {
    heading: 'Confirmez votre rétractation',
    lead: 'Rien n’est encore fait. Avec le bouton ci-dessous, vous déclarez :',
    declaration: 'Je me rétracte de ce contrat.',
    own: (plan) =>
      `${plan} prend fin immédiatement. Ce que vous avez payé pour ce contrat vous est remboursé dans les ${withdrawalLimits.decideDays} jours, par le moyen de paiement utilisé.`,
    email:
      'Nous envoyons un accusé de réception à cette adresse. Si c’est celle d’un compte avec un contrat, l’accusé mène à une page qui met fin à la formule et rembourse l’argent.',
    photos:
      'Vos photos restent pour l’instant. Si elles dépassent l’espace de la formule Free, nous vous écrivons avant toute suppression.',
    submit: 'Confirmer la rétractation',
    sending: 'Rétractation en cours',
    back: 'Retour',
  },
  failed: 'Votre rétractation n’a pas été faite.',
  offline: 'Vous semblez hors ligne. Vérifiez votre connexion et réessayez.',
  tryAgain: 'Veuillez réessayer.',
  stillHere: 'Ce que vous avez saisi est toujours là.',
  orEmail: 'Une rétractation par e-mail vaut tout autant. Écrivez à',
  made: {
    heading: 'Vous vous êtes rétracté',
    at: (when) => `Votre rétractation a été faite le ${when}.`,
    receipt: 'Un accusé de réception avec votre déclaration, la date et l’heure est en route vers',
    ended: 'Votre formule payante a pris fin.',
    onItsWay: 'Votre remboursement est en cours.',
    refunded: (amount) => `Nous avons remboursé ${amount} ; votre banque peut mettre quelques jours à l’afficher.`,
    nothing: 'Il ne restait rien à rembourser.',
    demo: 'Démo : aucun paiement réel.',
    late: (date) =>
      `Les ${withdrawalDays} jours pour ce contrat ont pris fin le ${date} : votre formule continue donc. Nous conservons votre rétractation et l’examinons.`,
    email:
      'L’accusé de réception dit la suite. Si un contrat correspond à cette adresse, appuyez sur le bouton de la page à laquelle mène l’accusé : il met fin à la formule et rembourse l’argent. Sinon, nous nous en chargeons.',
    spam: 'Pas d’accusé de réception après quelques minutes ? Regardez dans vos courriers indésirables et vérifiez l’adresse.',
    settings: 'Aller aux Paramètres',
    home: 'Aller à l’accueil',
  },
}
