drop table tool_outcomes;
