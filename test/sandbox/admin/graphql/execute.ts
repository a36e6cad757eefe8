import { execute, getNamedType, GraphQLError, isCompositeType, parse, validate } from "graphql";
import type { DocumentNode, GraphQLResolveInfo } from "graphql";
import { grantedScopes } from "../state.ts";
import type { AdminState, ShopState } from "../state.ts";
import { requireAccess } from "./access.ts";
import { MAX_COST, requestedCost } from "./cost.ts";
import { RESOLVERS } from "./resolvers.ts";
import type { ResolverContext } from "./resolvers.ts";
import { adminSchema } from "./schema.ts";
import type { Throttle } from "./throttle.ts";

export interface GraphqlRequest {
  query: string;
  variables?: Record<string, unknown> | null;
  operationName?: string;
}

export interface GraphqlEnvironment {
  state: AdminState;
  throttle: Throttle;
  onScopesChanged: ResolverContext["onScopesChanged"];
  takeEvent: ResolverContext["takeEvent"];
}

export type GraphqlAnswer = { data?: unknown; errors?: unknown[]; extensions?: Record<string, unknown> };

/** Runs one document of the app against one store: true schema, the app's scopes, Shopify's costs. */
export async function runGraphql(
  environment: GraphqlEnvironment,
  shop: ShopState,
  request: GraphqlRequest,
): Promise<GraphqlAnswer> {
  const schema = adminSchema();
  const document = parsed(request.query);
  if (document instanceof GraphQLError) return { errors: [document.toJSON()] };
  const problems = validate(schema, document);
  if (problems.length > 0) return { errors: problems.map((problem) => problem.toJSON()) };

  const variables = request.variables ?? {};
  const cost = requestedCost({ schema, document, variables, operationName: request.operationName });
  if (cost > MAX_COST) return { errors: [tooCostly(cost)] };
  if (!environment.throttle.take(shop.domain, cost)) {
    return { errors: [throttled()], extensions: { cost: environment.throttle.describe(shop.domain, cost, null) } };
  }
  const contextValue: ResolverContext = {
    state: environment.state,
    shop,
    scopes: grantedScopes(environment.state, shop),
    protectedDataApproved: environment.state.protectedDataApproved,
    onScopesChanged: environment.onScopesChanged,
    takeEvent: environment.takeEvent,
    objectsRead: 0,
  };
  const { data, errors } = await execute({
    schema,
    document,
    contextValue,
    variableValues: variables,
    operationName: request.operationName,
    fieldResolver: resolveField,
    typeResolver: (value) => (value as { __typename: string }).__typename,
  });
  const actual = Math.min(cost, contextValue.objectsRead);
  environment.throttle.giveBack(shop.domain, cost - actual);
  return {
    data,
    ...(errors && { errors: errors.map((error) => error.toJSON()) }),
    extensions: { cost: environment.throttle.describe(shop.domain, cost, actual) },
  };
}

function resolveField(
  source: unknown,
  args: Record<string, unknown>,
  context: ResolverContext,
  info: GraphQLResolveInfo,
): unknown {
  requireAccess(context, info);
  if (isCompositeType(getNamedType(info.returnType))) context.objectsRead += 1;
  const name = `${info.parentType.name}.${info.fieldName}`;
  const resolver = RESOLVERS[name];
  if (resolver) return resolver(args, context);
  const value = (source as Record<string, unknown> | undefined)?.[info.fieldName];
  if (value === undefined)
    throw new GraphQLError(`The sandbox does not answer ${name}.`, { extensions: { code: "NOT_IN_SANDBOX" } });
  return typeof value === "function" ? (value as (args: unknown) => unknown)(args) : value;
}

function parsed(query: string): DocumentNode | GraphQLError {
  try {
    return parse(query);
  } catch (error) {
    return error as GraphQLError;
  }
}

function tooCostly(cost: number): Record<string, unknown> {
  return {
    message: `Query cost is ${cost}, which exceeds the single query max cost limit (${MAX_COST}).`,
    extensions: {
      code: "MAX_COST_EXCEEDED",
      cost,
      maxCost: MAX_COST,
      documentation: "https://shopify.dev/api/usage/rate-limits",
    },
  };
}

/** The error of a store whose bucket is empty. */
export function throttled(): Record<string, unknown> {
  return {
    message: "Throttled",
    extensions: { code: "THROTTLED", documentation: "https://shopify.dev/api/usage/rate-limits" },
  };
}
