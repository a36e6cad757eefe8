/** The icons that the app uses. */
export {
  AlertCircleIcon,
  AlertTriangleIcon,
  CheckCircleIcon,
  ClockIcon,
  QuestionCircleIcon,
  XIcon,
} from "@shopify/polaris-icons";
