import { paths } from '../../../../lib/paths.ts'
import type { LegalSection } from '../legal-text.ts'

const personalData: LegalSection = {
  id: 'data',
  title: 'Données à caractère personnel',
  blocks: () => [
    `La [politique de confidentialité](${paths.privacy}) dit ce que nous faisons des données à caractère personnel. Pour les photos, et pour les adresses des invités qui en demandent une, vous êtes le responsable du traitement et nous sommes votre sous-traitant, si le RGPD s’applique à vous. Le présent article est alors le contrat qu’exige son article 28 :`,
    {
      list: [
        'Nous traitons ces données uniquement pour stocker, montrer et envoyer les photos selon vos réglages, aussi longtemps qu’elles sont stockées ici, et sur vos instructions : vos réglages et ce que vous nous écrivez. Si nous pensons qu’une instruction enfreint la loi, nous vous le disons.',
        'Elles concernent les personnes photographiées et vos invités : images, adresses e-mail, heures. Vous n’ajoutez pas de photos pour lesquelles la loi exige une protection plus forte que celle de ce service.',
        'Les personnes qui traitent ces données pour nous sont tenues au secret. La politique de confidentialité dit comment nous les protégeons.',
        'Vous acceptez que nous fassions appel à des entreprises des catégories que cite la politique de confidentialité. Elles sont liées comme nous le sommes, et nous répondons d’elles. Le recours à une nouvelle entreprise est une modification de la politique de confidentialité, que nous annonçons ; si vous vous y opposez, vous pouvez mettre fin au contrat avant qu’elle ne s’applique.',
        'Nous vous aidons à répondre aux personnes qui exercent leurs droits et, si vous en avez besoin, à réaliser une analyse d’impact relative à la protection des données. Si un incident touche les données, nous vous prévenons sans délai.',
        'Vous pouvez exporter et supprimer les données à tout moment. Lorsque le compte prend fin, elles sont supprimées.',
        'Nous vous fournissons ce qu’il vous faut pour démontrer que tout cela est respecté et permettons des contrôles, après préavis et à un moment qui ne gêne pas les autres.',
      ],
    },
  ],
}

const programs: LegalSection = {
  id: 'api',
  title: 'API et clés',
  blocks: ({ values: v }) => [
    `Avec Pro Yearly, vos programmes peuvent ajouter et lire des photos (voir la [documentation](${paths.apiDocs})) et être avertis d’événements par webhook. Les clés sont comme des mots de passe : gardez-les secrètes et supprimez celle que quelqu’un d’autre pourrait détenir. Vous pouvez en avoir ${v.apiKeys}. Chaque clé permet ${v.apiCallsPerMinute} appels par minute. Vous répondez de vos programmes et des serveurs que vos webhooks atteignent. Les appels que nous documentons ne changent qu’après une annonce telle que prévue à l’[article](#changes), sauf si la sécurité impose d’agir vite.`,
  ],
}

const availability: LegalSection = {
  id: 'availability',
  title: 'Disponibilité',
  blocks: ({ values: v }) => [
    `Nous visons une disponibilité de ${String(v.uptimePercent).replace('.', ',')} % : les pages et les codes doivent être joignables pendant ce pourcentage des minutes de ${v.uptimeDays} jours. Le programme le mesure. C’est un objectif : s’il n’est pas atteint, cela ne donne droit ni à un avoir ni à une indemnité. Ce que la loi vous accorde lorsqu’un service numérique n’est pas conforme (pour les consommateurs : articles 1701/1 et suivants de l’ancien Code civil) reste acquis.`,
    'L’entretien et les pannes de réseaux ou de tiers peuvent interrompre le service. Gardez vous-même une copie des photos qui comptent pour vous : ce service sert à les transmettre, ce n’est pas une archive.',
  ],
}

const liability: LegalSection = {
  id: 'liability',
  title: 'Responsabilité',
  blocks: () => [
    '**Toujours, et sans limite**, nous répondons des dommages que nous causons intentionnellement ou par une faute lourde, des lésions corporelles et des décès, et partout où la loi n’admet pas de limite. Les présentes conditions ne changent rien aux droits que la loi donne aux consommateurs.',
    '**Envers les entreprises**, au-delà de cela : nous répondons du dommage direct résultant d’un manquement au présent contrat, jusqu’au montant que vous avez payé pour les douze mois précédents, et non du manque à gagner, de la perte de clients ou de la perte de données dont vous pouviez garder une copie, dans la mesure permise par la loi.',
    'Nul ne répond de ce qui échappe à son contrôle (force majeure).',
    'Si des tiers nous mettent en cause pour ce que vous avez ajouté, ou fait en violation de l’[article](#content), vous réparez le dommage qui en résulte pour nous, dans la mesure où la faute est la vôtre.',
  ],
}

const law: LegalSection = {
  id: 'law',
  title: 'Droit, tribunaux et réclamations',
  blocks: () => [
    'Le droit belge s’applique. Un consommateur qui habite dans un autre pays de l’Union européenne garde la protection que lui donne le droit de ce pays et à laquelle il ne peut être dérogé.',
    'Les tribunaux désignés par le droit belge sont compétents. Un consommateur peut toujours saisir le tribunal de son domicile.',
    {
      contact: 'support',
      before: 'Dites-le-nous d’abord, pour que nous puissions y remédier :',
      after:
        'Les consommateurs peuvent aussi s’adresser au Service de Médiation pour le Consommateur (Consumentenombudsdienst), [mediationconsommateur.be](https://mediationconsommateur.be).',
    },
    'Les présentes conditions existent en néerlandais et en anglais ; les deux textes font foi. S’ils diffèrent, celui qui est le plus favorable au consommateur l’emporte, à défaut le texte néerlandais. Si une partie des conditions n’est pas valable, le reste demeure.',
  ],
}

const changes: LegalSection = {
  id: 'changes',
  title: 'Modifications',
  blocks: ({ values: v }) => [
    `Nous pouvons modifier les présentes conditions pour un motif valable, tel qu’une nouvelle loi, une nouvelle fonction ou une évolution des coûts. Une nouvelle version est publiée sur cette page au moins ${v.noticeDays} jours avant de s’appliquer, avec ce qui change. Si elle change quelque chose à votre désavantage, nous écrivons aussi à l’adresse e-mail de votre compte. Vous pouvez mettre fin au contrat avant qu’elle ne s’applique, et récupérez alors la part du prix pour la période restante. Ce que vous avez acheté auparavant reste inchangé jusqu’à la fin de la période payée. Les versions antérieures restent lisibles ci-dessous.`,
  ],
}

/** Les articles sur les données, les programmes, la disponibilité, la responsabilité et le droit. */
export const processing = [personalData, programs, availability, liability, law, changes] as const
