// What a query costs, which Shopify computes before it runs the query: 0 for a leaf, 1 for an object, 2 and its size for a connection, 10
// for a mutation.
import { getNamedType, getNullableType, isCompositeType, isObjectType, Kind } from "graphql";
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLCompositeType,
  GraphQLSchema,
  SelectionSetNode,
  ValueNode,
} from "graphql";

export const MAX_COST = 1_000;
const MUTATION_COST = 10;
const CONNECTION_COST = 2;

export interface CostInput {
  schema: GraphQLSchema;
  document: DocumentNode;
  variables: Readonly<Record<string, unknown>>;
  operationName?: string | undefined;
}

interface Walk {
  schema: GraphQLSchema;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  variables: Readonly<Record<string, unknown>>;
}

/** The points a valid document asks for. */
export function requestedCost({ schema, document, variables, operationName }: CostInput): number {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const operation = operations.find((one) => operationName === undefined || one.name?.value === operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) return 0;
  const fragments = new Map(
    document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION).map((one) => [one.name.value, one]),
  );
  const defaults = (operation.variableDefinitions ?? []).map((one) => [
    one.variable.name.value,
    literal(one.defaultValue),
  ]);
  const walk = { schema, fragments, variables: { ...Object.fromEntries(defaults), ...variables } };
  const base = operation.operation === "mutation" ? MUTATION_COST : 0;
  return base + selectionCost(walk, root, operation.selectionSet);
}

function selectionCost(walk: Walk, parent: GraphQLCompositeType, set: SelectionSetNode | undefined): number {
  let cost = 0;
  for (const selection of set?.selections ?? []) {
    if (selection.kind === Kind.FIELD) {
      cost += fieldCost(walk, parent, selection);
      continue;
    }
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : walk.fragments.get(selection.name.value);
    if (!fragment) continue;
    const condition = fragment.typeCondition && walk.schema.getType(fragment.typeCondition.name.value);
    const type = condition && isCompositeType(condition) ? condition : parent;
    cost += selectionCost(walk, type, fragment.selectionSet);
  }
  return cost;
}

function fieldCost(walk: Walk, parent: GraphQLCompositeType, node: FieldNode): number {
  const field = "getFields" in parent ? parent.getFields()[node.name.value] : undefined;
  const type = field && getNamedType(getNullableType(field.type));
  if (!type || !isCompositeType(type)) return 0;
  if (type.name === "PageInfo") return 0;
  const inside = selectionCost(walk, type, node.selectionSet);
  if (isObjectType(type) && type.name.endsWith("Connection"))
    return CONNECTION_COST + pageSize(walk, node) * Math.max(1, inside);
  if (type.name.endsWith("Edge")) return inside;
  return (1 + inside) * idsAsked(walk, node);
}

function pageSize(walk: Walk, node: FieldNode): number {
  const size = argument(walk, node, "first") ?? argument(walk, node, "last");
  return typeof size === "number" ? size : 1;
}

function idsAsked(walk: Walk, node: FieldNode): number {
  const ids = argument(walk, node, "ids");
  return Array.isArray(ids) ? Math.max(1, ids.length) : 1;
}

function argument(walk: Walk, node: FieldNode, name: string): unknown {
  const value = node.arguments?.find((one) => one.name.value === name)?.value;
  return value?.kind === Kind.VARIABLE ? walk.variables[value.name.value] : literal(value);
}

function literal(value: ValueNode | undefined): unknown {
  if (value?.kind === Kind.INT) return Number(value.value);
  if (value?.kind === Kind.LIST) return value.values;
  return undefined;
}
