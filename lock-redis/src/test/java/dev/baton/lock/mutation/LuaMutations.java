package dev.baton.lock.mutation;

import dev.baton.lock.mutation.LuaNode.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the possible changes of a script:
 *
 * <ul>
 *   <li>conditions: a comparison is reversed, or moved by one at its border; one operand of {@code and} or {@code or} is left
 *       out; {@code not} is inserted or removed;
 *   <li>writes: a call for its effect, or an assignment to a declared variable, is deleted, or its value is dropped; a
 *       field of a new table is left empty; a writing command whose reply is used is not sent.
 * </ul>
 */
final class LuaMutations {

    private static final Map<String, String> OPPOSITE =
            Map.of("==", "~=", "~=", "==", "<", ">=", ">=", "<", ">", "<=", "<=", ">");
    private static final Map<String, String> BORDER = Map.of("<", "<=", "<=", "<", ">", ">=", ">=", ">");

    private static final Pattern COMMAND = Pattern.compile("redis\\.p?call\\(\\s*'(\\w+)'.*", Pattern.DOTALL);
    // an unlisted command counts as a write, so that a new command cannot be overlooked
    private static final List<String> READS = List.of(
            "EXISTS",
            "GET",
            "HGET",
            "HGETALL",
            "HMGET",
            "PTTL",
            "PUBSUB",
            "TIME",
            "ZCARD",
            "ZRANGE",
            "ZREVRANGE",
            "ZSCORE");

    private final String file;
    private final String source;
    private final List<Mutant> mutants = new ArrayList<>();
    private final Map<String, Integer> ids = new HashMap<>();

    private LuaMutations(String file, String source) {
        this.file = file;
        this.source = source;
    }

    static List<Mutant> of(String file, String source) {
        LuaMutations mutations = new LuaMutations(file, source);
        mutations.visit(LuaParser.parse(source), "");
        return mutations.mutants;
    }

    private void visit(LuaNode node, String chain) {
        switch (node.kind()) {
            case CONDITION -> condition(node.children().get(0));
            case ASSIGNMENT -> assignment(node);
            case CALL_STATEMENT -> {
                change(node, "do end", "delete");
                // not the call itself, which is deleted by another mutation
                node.children().get(0).children().forEach(child -> visit(child, ""));
                return;
            }
            case BINARY -> operator(node, chain);
            case UNARY -> {
                if (node.text().equals("not")) {
                    LuaNode operand = node.children().get(0);
                    replace(node, operand.in(source));
                }
            }
            case CALL -> command(node);
            case FIELD -> {
                LuaNode value = node.children().get(node.children().size() - 1);
                change(value, "nil", oneLine(source.substring(node.start(), value.start())) + " nil");
            }
            default -> {}
        }
        node.children().forEach(child -> visit(child, node.kind() == Kind.BINARY ? node.text() : ""));
    }

    private void condition(LuaNode asked) {
        if (isLogical(asked)) {
            replace(asked, "not (" + asked.in(source) + ")");
        }
        negateParts(asked);
    }

    /** Negates the operands that are plain conditions. Comparisons and {@code not} have mutations of their own. */
    private void negateParts(LuaNode part) {
        if (isLogical(part) || part.is(Kind.EXPRESSION, "()")) {
            part.children().forEach(this::negateParts);
        } else if (part.kind() == Kind.EXPRESSION || part.kind() == Kind.CALL) {
            replace(part, "not " + part.in(source));
        }
    }

    private void operator(LuaNode node, String chain) {
        String operator = node.text();
        if (OPPOSITE.containsKey(operator)) {
            compare(node, OPPOSITE.get(operator));
        }
        if (BORDER.containsKey(operator)) {
            compare(node, BORDER.get(operator));
        }
        if (isLogical(node) && !operator.equals(chain)) {
            List<LuaNode> operands = node.chain();
            for (int i = 0; i < operands.size(); i++) {
                drop(operands, i);
            }
        }
    }

    private void compare(LuaNode node, String operator) {
        LuaNode left = node.children().get(0);
        LuaNode right = node.children().get(1);
        replace(node, left.in(source) + " " + operator + " " + right.in(source));
    }

    private void drop(List<LuaNode> operands, int i) {
        LuaNode dropped = operands.get(i);
        int start =
                i < operands.size() - 1 ? dropped.start() : operands.get(i - 1).end();
        int end = i < operands.size() - 1 ? operands.get(i + 1).start() : dropped.end();
        change(dropped.start(), start, end, "", "without " + oneLine(dropped.in(source)));
    }

    private void assignment(LuaNode node) {
        change(node, "do end", "delete");
        LuaNode value = node.children().get(node.children().size() - 1);
        if (value.kind() == Kind.CALL) {
            change(node, "local _ = " + value.in(source), "forget the value");
        }
    }

    private void command(LuaNode node) {
        Matcher command = COMMAND.matcher(node.in(source));
        if (command.matches() && !READS.contains(command.group(1))) {
            replace(node, "1");
        }
    }

    private static boolean isLogical(LuaNode node) {
        return node.is(Kind.BINARY, "and") || node.is(Kind.BINARY, "or");
    }

    private void replace(LuaNode node, String replacement) {
        change(node, replacement, oneLine(node.in(source)) + " -> " + oneLine(replacement));
    }

    private void change(LuaNode node, String replacement, String change) {
        change(node.start(), node.start(), node.end(), replacement, change);
    }

    private void change(int place, int start, int end, String replacement, String change) {
        int line =
                (int) source.substring(0, place).chars().filter(c -> c == '\n').count();
        String code = source.lines().toList().get(line).strip();
        String id = file + " | " + code + " | " + change;
        int seen = ids.merge(id, 1, Integer::sum);
        mutants.add(new Mutant(
                seen == 1 ? id : id + " | " + seen,
                file,
                line + 1,
                code,
                change,
                source.substring(0, start) + replacement + source.substring(end)));
    }

    private static String oneLine(String code) {
        return code.strip().replaceAll("\\s+", " ");
    }
}
